import { openTables } from '../ledger-facts.js';
import { databaseUrlOf } from '../../driver/database.js';
import type { Rig } from '../rig.js';
import type { Fault } from './fault-proxy.js';
import { setAll, type Link } from './links.js';
import { pidOf, signalAll } from './processes.js';

/** A dependency and the endpoints that may answer 500 while it does not answer: docs/contract/failures.md. */
export interface Part {
  /** Name in the table of faults. */
  readonly name: string;
  /** The process or store. */
  readonly target: string;
  readonly failing: readonly string[];
}

const EVENTS = ['/events/impression', '/events/click', '/events/reward'] as const;

/** The dependencies of requests. */
export const PARTS: readonly Part[] = [
  { name: 'Redis', target: 'redis', failing: EVENTS },
  { name: 'Postgres', target: 'postgres', failing: [...EVENTS, '/events/fallback'] },
  { name: 'fraud-service', target: 'fraud-service', failing: EVENTS },
  { name: 'session-service', target: 'session-service', failing: ['/sdk/initialize'] },
  { name: 'serving-service', target: 'serving-service', failing: ['/ads/request'] },
  { name: 'events-service', target: 'events-service', failing: [...EVENTS, '/events/fallback'] },
  { name: 'console-service', target: 'console-service', failing: [] },
];

/** Makes a part slow and returns how to end that. */
export type Slow = (rig: Rig) => Promise<() => Promise<void>>;

/** Disturbs every connection to the part. */
export function disturbed({ target }: Part, fault: Fault): Slow {
  return ({ links }) => {
    const isHit = ({ to }: Link): boolean => to === target || to === `${target}-2`;
    const hit = links
      .of(target)
      .concat(links.of(`${target}-2`))
      .filter(isHit);
    setAll(hit, fault);
    return Promise.resolve(() => {
      setAll(hit, { kind: 'none' });
      return Promise.resolve();
    });
  };
}

/** Stops the process of a store. Its connections stay open. */
export function frozen(name: string): Slow {
  return ({ product: { dataDir } }) => {
    const pid = pidOf(dataDir, name);
    if (pid === null) throw new Error(`${name} does not run`);
    signalAll([pid], 'SIGSTOP');
    return Promise.resolve(() => {
      signalAll([pid], 'SIGCONT');
      return Promise.resolve();
    });
  };
}

/** Lets every commit of Postgres wait for a standby that does not exist. Reads work. */
export const hungCommits: Slow = async ({ product: { dataDir } }) => {
  const url = await databaseUrlOf(dataDir);
  const apply = async (statement: string): Promise<void> => {
    const client = openTables(url);
    try {
      await client.query(statement);
      await client.query('SELECT pg_reload_conf()');
    } finally {
      await client.end();
    }
  };
  await apply(`ALTER SYSTEM SET synchronous_standby_names = 'nobody'`);
  return () => apply('ALTER SYSTEM RESET synchronous_standby_names');
};
