import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ended, ManagedProcess, Probe } from './process/managed-process.js';
import { StartError } from './start-error.js';

/** Longest wait until a process is ready, in milliseconds. */
const READY_MS_MAX = 60_000;
const POLL_MS = 50;
const ANSWER_MS_MAX = 2_000;
const TAIL_LINES_SHOWN = 12;

/**
 * Starts a process and waits until it serves; returns null. Otherwise returns how it ended, or what was missing when the
 * time was over.
 */
export async function startAndWait(process: ManagedProcess, limitMs: number): Promise<string | null> {
  let ended: Ended | null = null;
  void process.start().then((end) => (ended = end));
  let last = 'no answer';
  for (const endsAtMs = Date.now() + limitMs; Date.now() < endsAtMs;) {
    const probe = (await process.spec.probe?.()) ?? { isReady: true, detail: '' };
    if (probe.isReady) return null;
    last = probe.detail;
    // Read in a function, because the compiler does not know that the callback above changes it.
    const end = ((): Ended | null => ended)();
    if (end !== null) return end.how;
    await sleep(POLL_MS);
  }
  return `was not ready within ${limitMs / 1_000} s (${last})`;
}

/** Like {@link startAndWait}; throws a {@link StartError} with the end of its log when the process does not start. */
export async function startUntilReady(
  process: ManagedProcess,
  limitMs: number = READY_MS_MAX,
): Promise<void> {
  const fault = await startAndWait(process, limitMs);
  if (fault !== null) throw new StartError(failure(process, fault));
}

/** The message for a process that did not start: its own message, else the end of its log. */
export function failure(process: ManagedProcess, how: string): string {
  const { name, notice, logFile } = process.spec;
  const noticed = process.tail().flatMap((line) => notice(line) ?? []);
  const lines = (noticed.length > 0 ? noticed : process.tail()).slice(-TAIL_LINES_SHOWN);
  return [`${name} did not start: it ${how}. Its log: ${logFile}`, ...lines].join('\n  ');
}

/** Probes a `/readyz` address. */
export function askReadiness(url: string): Promise<Probe> {
  return new Promise((resolve) => {
    const request = http.get(url, { agent: false, timeout: ANSWER_MS_MAX }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve({ isReady: response.statusCode === 200, detail: text.trim() }));
      response.on('error', (error) => resolve({ isReady: false, detail: error.message }));
    });
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
    request.on('error', (error) => resolve({ isReady: false, detail: error.message }));
  });
}
