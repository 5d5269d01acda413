import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { ROOT } from '../driver/placard.js';

const MOCHA = path.join(
  path.dirname(createRequire(import.meta.url).resolve('mocha/package.json')),
  'bin',
  'mocha.js',
);
const RUN_MS_MAX = 300_000;
/** Tests of counts, caps, charges, reports, and state that processes share. What one process decides alone is left out. */
const FILES = [
  'budgets',
  'caps',
  'events-click',
  'events-fallback',
  'events-impression',
  'events-reward',
  'fraud',
  'ledger',
  'money',
  'reports',
  'sessions-and-switches',
];
const PASSED_MIN = 100;

describe('the conformance tests, on two of every process and a Redis Cluster', () => {
  it(`pass: ${FILES.join(', ')}`, async () => {
    const { status, output } = await runMocha(FILES.map((name) => `tests/conformance/${name}.test.ts`));
    expect(status, output).to.equal(0);
    const passed = Number(/(\d+) passing/.exec(output)?.[1]);
    expect(passed, output).to.be.above(PASSED_MIN);
    process.stdout.write(`      ${passed} of them passed\n`);
  }).timeout(RUN_MS_MAX);
});

/** Runs test files in a process of its own, with the cluster as the plain product. */
function runMocha(files: readonly string[]): Promise<{ readonly status: number; readonly output: string }> {
  const env = { ...process.env, TEST_PLAIN_AS: 'cluster', TEST_COUNTS_FILE: undefined };
  const child = spawn(process.execPath, [MOCHA, '--exit', '--reporter', 'spec', ...files], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // The child ends with this process, and its product with it.
  const end = (): void => void child.kill('SIGINT');
  process.once('exit', end);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => {
      process.off('exit', end);
      resolve({ status: status ?? 1, output });
    });
  });
}
