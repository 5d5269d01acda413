import { Counter, Gauge } from 'prom-client';
import { runAt } from '../process/coarse-timers.js';
import { appError, type AppError } from '../process/errors.js';
import type { Scope } from '../process/scope.js';
import type { CallResult } from './adaptive-limit.js';
import type { Door } from './door.js';
import { AdaptiveDoor, type DoorTime } from './adaptive-door.js';
import { TOLERANCES, type Kind } from './importance.js';
import { LastDoor } from './last-door.js';

/** The doors of a process, by kind of calls. */
export interface Doors {
  of(kind: Kind): Door;
  /** Counts a refused call, and answers its error. */
  refuse(kind: Kind): AppError;
}

/** The clock of the doors. */
export const doorTime: DoorTime = { now: () => performance.now(), runAt, isBusy: watchBusyness() };

/** Share of the time in which a busy event loop works. */
const BUSY_MIN = 0.9;
/** The event loop is judged by at least this time, in milliseconds. */
const BUSY_OVER_MS = 100;

/** Answers whether the event loop worked almost all of the time since it was judged last. */
function watchBusyness(): () => boolean {
  let before = performance.eventLoopUtilization();
  let isBusy = false;
  return () => {
    const now = performance.eventLoopUtilization();
    const since = performance.eventLoopUtilization(now, before);
    if (since.active + since.idle < BUSY_OVER_MS) return isBusy;
    before = now;
    isBusy = since.utilization >= BUSY_MIN;
    return isBusy;
  };
}

/** Opens the doors of a process, with their metrics. Use it with `scope.once`: all callers share the doors. */
export function openDoors(scope: Scope): Doors {
  const events = new AdaptiveDoor(TOLERANCES.events, () => false, doorTime);
  const ads = new AdaptiveDoor(TOLERANCES.ads, () => events.isOverloaded(), doorTime);
  const sessions = new AdaptiveDoor(
    TOLERANCES.sessions,
    () => events.isOverloaded() || ads.isOverloaded(),
    doorTime,
  );
  const adaptive = [events, ads, sessions];
  const reports = new LastDoor(() => adaptive.some((door) => door.isOverloaded()));
  const doors: Readonly<Record<Kind, Door>> = { events, ads, sessions, reports };
  const refusals = new Counter({
    name: 'placard_overload_refused_total',
    help: 'Calls refused because the process had too much to do, by kind',
    labelNames: ['kind'] as const,
    registers: [scope.metrics],
  });
  const gauge = (name: string, help: string, read: (door: Door) => number): void => {
    new Gauge({
      name: `placard_overload_${name}`,
      help,
      labelNames: ['kind'] as const,
      registers: [scope.metrics],
      collect() {
        for (const [kind, door] of Object.entries(doors)) this.set({ kind }, read(door));
      },
    });
  };
  gauge('limit', 'Most calls that may run at the same time, by kind', (door) => door.limit);
  gauge('running', 'Calls that are running, by kind', (door) => door.running);
  gauge('waiting', 'Calls that wait for their turn, by kind', (door) => door.waiting);
  for (const kind of Object.keys(doors)) refusals.inc({ kind }, 0);
  return {
    of: (kind) => doors[kind],
    refuse(kind) {
      refusals.inc({ kind });
      return appError('overloaded', 'There is too much to do at the moment. Try again later.');
    },
  };
}

/** What an error says about the load. Null: nothing. */
export function resultOf({ code }: AppError): CallResult | null {
  if (code === 'overloaded') return 'refused';
  return code === 'deadline_exceeded' || code === 'unavailable' ? 'failed' : null;
}
