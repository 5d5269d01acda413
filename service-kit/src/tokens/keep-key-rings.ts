import { Gauge } from 'prom-client';
import { keepRunning } from '../background/keep-running.js';
import { messageOf } from '../process/errors.js';
import type { Scope } from '../process/scope.js';
import { parseRing, readRingFile, type KeyRing, type RingKeys } from './key-ring.js';

/** Interval between two reads of a ring's file, in milliseconds. */
const READ_INTERVAL_MS = 1_000;

/**
 * Keeps rings up to date with their files and the time. One second after a change of a file its keys open tokens, and
 * each key seals from its instant on. A file that cannot be read or is invalid changes nothing and is logged once.
 * `placard_key_ring_keys` shows the progress of a rotation: 1 for the key that seals, 0 for keys that only open.
 */
export function keepKeyRings(scope: Scope, rings: Readonly<Record<string, KeyRing>>): void {
  const look = makeRingReader(scope, rings);
  look();
  showRings(scope, rings);
  keepRunning(scope, { name: 'reading key rings', intervalMs: READ_INTERVAL_MS, run: look });
}

/** The step of {@link keepKeyRings} for each second: reads the files and updates the rings. */
export function makeRingReader(scope: Scope, rings: Readonly<Record<string, KeyRing>>): () => void {
  const readers = Object.entries(rings).map(([name, ring]) => makeReader(scope, name, ring));
  return () => {
    for (const read of readers) read();
  };
}

/** Reads the file of one ring, if it has one, and updates the ring. */
function makeReader(scope: Scope, name: string, ring: KeyRing): () => void {
  let lastText: string | null = null;
  let lastReason: string | null = null;
  const read = (file: string): RingKeys | undefined => {
    try {
      const text = readRingFile(file);
      const keys = text === lastText ? undefined : parseRing(text);
      if (keys !== undefined && lastText !== null)
        scope.log.info({ ring: name, keys: keys.map((key) => key.kid) }, 'key ring was read again');
      [lastText, lastReason] = [text, null];
      return keys;
    } catch (error) {
      const reason = messageOf(error);
      if (reason !== lastReason)
        scope.log.error({ ring: name, reason }, 'key ring could not be read: the old keys stay');
      lastReason = reason;
      return undefined;
    }
  };
  return () => ring.bringUpToDate(scope.clock.now(), ring.file === null ? undefined : read(ring.file));
}

function showRings(scope: Scope, rings: Readonly<Record<string, KeyRing>>): void {
  const gauge: Gauge<'ring' | 'kid'> = new Gauge({
    name: 'placard_key_ring_keys',
    help: 'Keys of the token key rings: 1 for the one that seals, 0 for one that only opens',
    labelNames: ['ring', 'kid'],
    registers: [scope.metrics],
    collect() {
      gauge.reset();
      for (const [name, ring] of Object.entries(rings)) {
        for (const key of ring.keys())
          gauge.set({ ring: name, kid: key.kid }, key === ring.sealing() ? 1 : 0);
      }
    },
  });
}
