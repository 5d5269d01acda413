import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const PARENT_POLL_MS = 500;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a script on the chosen Node.js instead of this process: passes signals on and ends with its status. The channel to it
 * closes with this process, so that the script stops everything even when this process is killed.
 * @param {string} node
 * @param {string} script
 * @param {readonly string[]} args
 */
export function handOver(node, script, args) {
  const child = spawn(node, [script, ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  stopWithNpm(child);
  child.on('error', (error) => {
    console.error(`Could not run ${node}: ${error.message}`);
    process.exit(1);
  });
  child.on('exit', (status, signal) => {
    process.exit(signal === null ? status : 128 + constants.signals[signal]);
  });
}

/**
 * Stops the child when npm is killed. npm cannot pass that on; a change of the parent process shows it.
 * @param {import('node:child_process').ChildProcess} child
 */
function stopWithNpm(child) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    child.kill('SIGTERM');
  }, PARENT_POLL_MS);
  timer.unref();
}
