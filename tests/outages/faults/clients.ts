import { inTurns } from '../../driver/phone.js';
import type { Outage, Stage } from '../outage.js';

const ADS_PER_SESSION = 25;

/** Gets that many ads of the quiet app, and shows none of them. */
async function askOnly({ phones, quietApp }: Stage, count: number): Promise<void> {
  await inTurns(Math.ceil(count / ADS_PER_SESSION), 4, async () => {
    const session = await phones.open(quietApp);
    if (session === null) throw new Error('there is no session');
    for (let ads = 0; ads < ADS_PER_SESSION; ads += 1) await phones.ask(session, quietApp);
  });
}

/** Outages that clients make. */
export const CLIENT_OUTAGES: readonly Outage[] = [
  {
    name: 'flood-of-one-client',
    what: 'One client starts sessions and asks for ads without end.',
    async happen(stage) {
      const session = await stage.phones.open();
      if (session === null) throw new Error('there is no session');
      const { address, token } = session;
      let isOver = false;
      const repeat = async (send: () => Promise<unknown>): Promise<void> => {
        while (!isOver) await send();
      };
      const open = (): Promise<unknown> => stage.phones.open(undefined, address);
      const flood = Promise.all([open, open, open, () => stage.phones.ask({ address, token })].map(repeat));
      await stage.passes(20);
      isOver = true;
      await flood;
    },
    mend: () => Promise.resolve(),
  },
  {
    name: 'ads-unshown',
    what: 'An app asks for six hundred ads and shows none.',
    async happen(stage) {
      await askOnly(stage, 600);
      // The worker reads fills and impressions at its start, and each minute.
      await stage.passes(3);
      await stage.relaunch('settlement-worker');
      await stage.passes(8);
    },
    mend: () => Promise.resolve(),
  },
  {
    name: 'commits-hang-under-load',
    what: 'Commits hang while more fallbacks come than one group can store; their clients have left.',
    async happen(stage) {
      const { phones, sql } = stage;
      const session = await phones.open();
      if (session === null) throw new Error('there is no session');
      await sql.query("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
      await sql.query('SELECT pg_reload_conf()');
      await stage.passes(2);
      const fields = { session_token: session.token, placement: 'home_banner', reason: 'no_fill' };
      for (let sent = 0; sent < 5_600; sent += 400) {
        await Promise.all(
          Array.from({ length: 400 }, (_, index) =>
            phones.post('/events/fallback', fields, `10.200.${(sent / 400) % 250}.${index % 250}`),
          ),
        );
      }
      await stage.passes(2);
    },
    async mend(stage) {
      await stage.sql.query('ALTER SYSTEM RESET synchronous_standby_names');
      await stage.sql.query('SELECT pg_reload_conf()');
      await stage.passes(8);
    },
  },
  {
    name: 'duplicates-without-fraud-service',
    what: 'fraud-service is gone while a client repeats an accepted impression ten thousand times.',
    async happen(stage) {
      const session = await stage.phones.open();
      const ad = session === null ? null : await stage.phones.ask(session);
      if (ad === null) throw new Error('there is no ad');
      await stage.phones.show(ad);
      await stage.product.kill('fraud-service');
      await inTurns(11_000, 32, () => stage.phones.show(ad));
      await stage.passes(3);
    },
    async mend(stage) {
      await stage.product.restart('fraud-service');
      await stage.passes(5);
    },
  },
];
