import { setTimeout as sleep } from 'node:timers/promises';
import type { Outage, Stage } from '../outage.js';

/** Longer than Postgres needs to read its settings again. */
const RELOADED_SCRAPES = 1;
/** Between an answer and the next request of a phone in a crowd. */
const PAUSE_MS = 200;

async function waitForStandby({ sql }: Stage, name: string): Promise<void> {
  await sql.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await sql.query('SELECT pg_reload_conf()');
}

/** Half a second in which Redis answers at the end only: sooner than a breaker opens. */
async function slowDownRedis(stage: Stage): Promise<void> {
  stage.signal('redis', 'SIGSTOP');
  await sleep(400);
  stage.signal('redis', 'SIGCONT');
  await sleep(100);
}

/** Does something again and again for that many scrapes. */
async function whilePassing(stage: Stage, scrapes: number, again: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const repeated = (async () => {
    while (!over.signal.aborted) await again();
  })();
  await stage.passes(scrapes);
  over.abort();
  await repeated;
}

/** Outages of Postgres and Redis. */
export const STORE_OUTAGES: readonly Outage[] = [
  {
    name: 'commits-hang',
    what: 'Every commit of Postgres waits for a standby that does not exist; reads and probes work.',
    async happen(stage) {
      await waitForStandby(stage, 'nobody');
      await stage.passes(20);
    },
    async mend(stage) {
      await waitForStandby(stage, '');
      await stage.passes(RELOADED_SCRAPES + 5);
    },
  },
  {
    name: 'reports-blocked',
    what: 'A session locks the counts of the reports while twenty operators ask for reports.',
    async happen(stage) {
      const session = await stage.sql.connect();
      try {
        await session.query('BEGIN');
        await session.query('SET LOCAL idle_in_transaction_session_timeout = 0');
        await session.query('LOCK TABLE stats.event_hour IN ACCESS EXCLUSIVE MODE');
        let isOver = false;
        const askOnAndOn = async (): Promise<void> => {
          while (!isOver) await stage.placard(['report']);
        };
        const operators = Promise.all(Array.from({ length: 20 }, askOnAndOn));
        await stage.passes(12);
        isOver = true;
        await session.query('COMMIT');
        await operators;
      } finally {
        session.release();
      }
    },
    mend: (stage) => stage.passes(4),
  },
  {
    name: 'redis-hangs',
    what: 'Redis stands still and keeps its connections.',
    async happen(stage) {
      stage.signal('redis', 'SIGSTOP');
      await stage.passes(15);
    },
    async mend(stage) {
      stage.signal('redis', 'SIGCONT');
      await stage.passes(6);
    },
  },
  {
    name: 'redis-slow',
    what: 'Redis stands still for four fifths of the time, never long enough for a breaker to open.',
    happen: (stage) => whilePassing(stage, 15, () => slowDownRedis(stage)),
    mend: (stage) => stage.passes(4),
  },
  {
    name: 'ads-overloaded',
    what: 'Three hundred more phones ask for ads while Redis stands still for four fifths of the time.',
    async happen(stage) {
      const { phones, quietApp } = stage;
      const sessions = await Promise.all(Array.from({ length: 30 }, () => phones.open(quietApp)));
      const opened = sessions.filter((session) => session !== null);
      let isOver = false;
      const askOnAndOn = async (_: unknown, index: number): Promise<void> => {
        while (!isOver) {
          await phones.ask(opened[index % opened.length]!, quietApp);
          await sleep(PAUSE_MS);
        }
      };
      const crowd = Promise.all(Array.from({ length: 300 }, askOnAndOn));
      await whilePassing(stage, 12, () => slowDownRedis(stage));
      isOver = true;
      await crowd;
    },
    mend: (stage) => stage.passes(4),
  },
  {
    name: 'inserts-slow',
    what: 'A session locks the events for four fifths of the time, never long enough for a breaker to open.',
    async happen(stage) {
      const session = await stage.sql.connect();
      try {
        await whilePassing(stage, 15, async () => {
          await session.query('BEGIN');
          await session.query('LOCK TABLE events.event IN EXCLUSIVE MODE');
          await sleep(800);
          await session.query('COMMIT');
          await sleep(200);
        });
      } finally {
        session.release();
      }
    },
    mend: (stage) => stage.passes(4),
  },
  {
    name: 'postgres-gone',
    what: 'Postgres is killed.',
    async happen(stage) {
      await stage.product.kill('postgres');
      await stage.passes(15);
    },
    async mend(stage) {
      await stage.product.restart('postgres');
      await stage.passes(8);
    },
  },
];
