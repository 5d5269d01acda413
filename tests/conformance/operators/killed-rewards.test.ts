import { expect } from 'chai';
import { CODE_OF } from '../../driver/catalog.js';
import { query } from '../../driver/database.js';
import { expectAccepted, expectRewarded } from '../../driver/expect.js';
import { becomes, pass } from '../../driver/phone.js';
import { World } from '../../driver/world.js';

// Its own processes are killed, and no other test of this product needs console-service at the same time.
const world = new World('faults');
const { app } = world.pair();
const PLACEMENT = `${app.id}/${CODE_OF.rewarded}`;
/** What is killed, and how many milliseconds after the rewards: before they are taken, between the steps, after them. */
const KILLS = [
  ['console-service', 0],
  ['console-service', 400],
  ['console-service', 1_100],
  ['events-service', 400],
] as const;
const REWARDS = 5;
const LOGGED_MS_MAX = 30_000;

/** The request ids of the rewards that have a callback. */
async function logged(): Promise<readonly string[]> {
  const log = await world.placard(
    'reward',
    'log',
    '--placement',
    PLACEMENT,
    '--format',
    'json',
    '--limit',
    '1000',
  );
  if (log.status !== 0) return [];
  const { rows } = JSON.parse(log.stdout) as { readonly rows: readonly { readonly request_id: string }[] };
  return rows.map(({ request_id: id }) => id);
}

describe('a reward whose processes are killed', () => {
  world.use();
  const accepted: string[] = [];

  before('the placement has a callback', () =>
    query(
      world.running.databaseUrl,
      `UPDATE catalog.objects SET fields = fields || jsonb_build_object('reward', $2::jsonb)
       WHERE kind = 'placement' AND id = $1`,
      [PLACEMENT, JSON.stringify({ item: 'coins', amount: 1, callback_url: 'https://localhost/' })],
    ),
  );

  /** Sends rewards of a phone, each once; only the accepted ones count. */
  async function reward(): Promise<void> {
    const phone = await world.phone(app);
    for (let sent = 0; sent < REWARDS; sent += 1) {
      const fill = await phone.fill('rewarded');
      expectAccepted(await phone.impression(fill));
      expectRewarded(await phone.reward(fill, true), true);
      accepted.push(fill.requestId);
    }
  }

  for (const [name, afterMs] of KILLS)
    it(`has one callback when ${name} is killed ${afterMs} ms after it was accepted`, async () => {
      await reward();
      await pass(afterMs);
      await world.running.kill(name);
      await world.running.restart(name);
      const isWhole = await becomes(LOGGED_MS_MAX, async () => (await logged()).length >= accepted.length);
      expect(isWhole, 'each accepted reward has a callback').to.equal(true);
      expect([...(await logged())].sort()).to.deep.equal([...accepted].sort());
      const isConfirmed = await becomes(LOGGED_MS_MAX, async () => (await unconfirmed()) === 0);
      expect(isConfirmed, 'none waits to be taken').to.equal(true);
    }).timeout(60_000);

  async function unconfirmed(): Promise<number> {
    const rows = await query(world.running.databaseUrl, 'SELECT FROM events.accepted_reward');
    return rows.length;
  }
});
