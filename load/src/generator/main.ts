import { monitorEventLoopDelay } from 'node:perf_hooks';
import { makeChance } from '../chance.js';
import type { Assignment, Order, Phase, PhaseResult, Report } from './messages.js';
import { servedApps } from '../market/served-apps.js';
import { openApi, openSupply, readMarket } from './open-api.js';
import { runClosed, runOpen, type Heard, type ClientPart } from './pace.js';
import { outcomeOf } from './api.js';
import { askForPriority } from './priority.js';
import { Recorder } from './recorder.js';
import { Slots } from './slots.js';
import type { Stretch } from './schedule.js';
import { Traffic } from './traffic.js';

const SECOND_MS = 1_000;
const NANOS_PER_MS = 1e6;
const LOOP_RESOLUTION_MS = 10;
/** Ads that are made for a closed loop, per second. It rarely uses them up; further ads are made when needed. */
const CLOSED_PER_SECOND = 4_000;

let close: () => void = () => undefined;
let run: (phase: Phase) => Promise<PhaseResult> = () => Promise.reject(new Error('not opened'));

process.on('message', (order: Order) => {
  obey(order).catch((error: unknown) => {
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  });
});
process.on('disconnect', () => process.exit(0));

async function obey(order: Order): Promise<void> {
  switch (order.kind) {
    case 'open':
      open(order.assignment);
      tell({ kind: 'opened' });
      return;
    case 'run':
      tell({ kind: 'done', result: await run(order.phase) });
      return;
    case 'close':
      close();
      process.exit(0);
  }
}

function tell(report: Report): void {
  process.send?.(report);
}

function open(assignment: Assignment): void {
  const chance = makeChance(assignment.seed);
  const market = readMarket(assignment.catalogFile);
  const apps = servedApps(market);
  if (apps.length === 0) throw new Error(`${assignment.catalogFile} has no app that is served`);
  const api = openApi(assignment);
  const supply = openSupply(assignment, { api, market, chance });
  const traffic = new Traffic({
    api,
    apps,
    chance,
    supply,
    sessions: assignment.sessions,
    adMs: assignment.adMs,
  });
  close = () => api.close();
  run = async (phase) => {
    const needsFills = phase.mix.impression !== undefined || phase.mix.duplicate !== undefined;
    await traffic.prepare(phase, needsFills ? fillsFor(phase) : 0);
    const recorder = new Recorder();
    const slots = new Slots(phase.fall?.quickMs ?? 0);
    let accepted = 0;
    const loop = (stretches: readonly Stretch[], heard: Heard): Promise<ClientPart> => {
      const counting: Heard = (operation, code, fromMs) => {
        if (code === 'accepted' && operation !== 'fallback') accepted += 1;
        heard(operation, code, fromMs);
      };
      const parts = { traffic, mix: phase.mix, chance, heard: counting };
      if (phase.rate === null) return runClosed(parts, phase, stretches[0]?.durationMs ?? 0);
      askForPriority();
      return runOpen(parts, stretches);
    };
    const { rate, warmupMs, durationMs, fall } = phase;
    const at = (ms: number): Stretch => ({ rate: rate ?? 0, durationMs: ms });
    if (warmupMs > 0) await loop([at(warmupMs)], () => undefined);
    const measured = await measure(recorder, (startedAtMs) =>
      loop([at(durationMs), ...(fall === null ? [] : [fall])], (operation, code, fromMs) => {
        const latencyMs = performance.now() - fromMs;
        const afterFallMs = fromMs - startedAtMs - durationMs;
        if (fall === null || afterFallMs < 0) {
          recorder.record(operation, code, latencyMs);
          return;
        }
        recorder.follow(operation, code, latencyMs);
        slots.record(afterFallMs, outcomeOf(operation, code), latencyMs);
      }),
    );
    return { ...measured, accepted, afterFall: slots.all(), waitingFills: traffic.waiting };
  };
}

async function measure(
  recorder: Recorder,
  loop: (startedAtMs: number) => Promise<ClientPart>,
): Promise<Omit<PhaseResult, 'accepted' | 'afterFall' | 'waitingFills'>> {
  tell({ kind: 'measuring' });
  const startedAtMs = performance.now();
  const loopDelay = watchLoopDelay();
  const timer = setInterval(() => tell({ kind: 'second', second: recorder.second() }), SECOND_MS);
  try {
    const kept = await loop(startedAtMs);
    const measuredMs = performance.now() - startedAtMs;
    const [counted, outcomes] = [recorder.counted(), recorder.outcomes()];
    return { measuredMs, counted, outcomes, loopDelayMs: loopDelay(), ...kept };
  } finally {
    clearInterval(timer);
    tell({ kind: 'second', second: recorder.second() });
  }
}

/** Starts to measure the delay of the event loop. The returned function ends that and returns percentiles in ms. */
function watchLoopDelay(): () => PhaseResult['loopDelayMs'] {
  const delays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delays.enable();
  // The recorded value is the time between two samples.
  const at = (percentile: number): number =>
    Math.max(0, delays.percentile(percentile) / NANOS_PER_MS - LOOP_RESOLUTION_MS);
  return () => {
    delays.disable();
    return { p50: at(50), p99: at(99) };
  };
}

/** Ads that a phase may need for a target that does not select ads itself. */
function fillsFor({ rate, callsMax, durationMs, warmupMs }: Phase): number {
  if (callsMax !== null) return callsMax;
  return Math.ceil(((rate ?? CLOSED_PER_SECOND) * (durationMs + warmupMs)) / SECOND_MS);
}
