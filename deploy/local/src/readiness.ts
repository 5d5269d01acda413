import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended, ManagedProcess } from './process/managed-process.js';
import { StartError } from './start-error.js';

/** Longest wait until a process is ready, in milliseconds. */
export const READY_MS_MAX = 60_000;
const POLL_MS = 50;
const ANSWER_MS_MAX = 2_000;
const TAIL_LINES_SHOWN = 12;

/** What a readiness address said. */
interface Answer {
  readonly isReady: boolean;
  readonly text: string;
}

/**
 * Starts a process and waits until its `/readyz` says yes. Throws a {@link StartError} with what its log says when it
 * ends before or takes too long.
 */
export async function startUntilReady(process: ManagedProcess, url: string): Promise<void> {
  let ended: Ended | null = null;
  void process.start().then((end) => (ended = end));
  let last = 'no answer';
  for (const endsAtMs = Date.now() + READY_MS_MAX; Date.now() < endsAtMs;) {
    const answer = await ask(url);
    if (answer.isReady) return;
    last = answer.text;
    // Read in a function: the compiler does not see that the callback above changes it.
    const end = ((): Ended | null => ended)();
    if (end !== null) throw new StartError(failure(process, end.how));
    await sleep(POLL_MS);
  }
  throw new StartError(failure(process, `was not ready within ${READY_MS_MAX / 1_000} s (${last})`));
}

/** What to tell of a process that did not come up: what it said itself, else the end of its log. */
export function failure(process: ManagedProcess, how: string): string {
  const { name, notice, logFile } = process.spec;
  const noticed = process.tail().flatMap((line) => notice(line) ?? []);
  const lines = (noticed.length > 0 ? noticed : process.tail()).slice(-TAIL_LINES_SHOWN);
  return [`${name} did not start: it ${how}. Its log: ${logFile}`, ...lines].join('\n  ');
}

function ask(url: string): Promise<Answer> {
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false, timeout: ANSWER_MS_MAX }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ isReady: response.statusCode === 200, text: text.trim() }));
      response.on('error', (error) => resolve({ isReady: false, text: error.message }));
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', (error) => resolve({ isReady: false, text: error.message }));
  });
}
