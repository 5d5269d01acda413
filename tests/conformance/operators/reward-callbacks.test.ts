import { expect } from 'chai';
import { CODE_OF } from '../../driver/catalog.js';
import { query } from '../../driver/database.js';
import { expectAccepted, expectRewarded } from '../../driver/expect.js';
import { send } from '../../driver/http.js';
import { becomes } from '../../driver/phone.js';
import { World } from '../../driver/world.js';

const world = new World('plain');
const { app } = world.pair();
/** Longest time from an accepted reward to the first attempt of its callback. */
const SENT_MS_MAX = 10_000;
/** A host in a private network, on every machine. */
const REWARD = { item: 'coins', amount: 50, callback_url: 'https://localhost/rewards' };

type Row = Readonly<Record<string, unknown>>;

/** Contract: docs/reward-callbacks.md. */
describe('the callback of a reward', () => {
  world.use();

  const rowOf = async (requestId: string): Promise<Row | undefined> => {
    const log = await world.placard('reward', 'log', '--request', requestId, '--format', 'json');
    expect(log.status, log.stderr).to.equal(0);
    return (JSON.parse(log.stdout) as { readonly rows: readonly Row[] }).rows[0];
  };
  /** The row once so many attempts were made, or as it is when they are not made in time. */
  const rowAfter = async (requestId: string, attempts: number): Promise<Row | undefined> => {
    await becomes(SENT_MS_MAX, async () => (await rowOf(requestId))?.['attempts'] === attempts);
    return rowOf(requestId);
  };

  it('may not be saved with an address in a private network', async () => {
    const placements = [{ code: CODE_OF.rewarded, format: 'rewarded', reward: REWARD }];
    const file = { publishers: [{ id: ownerId(), apps: [{ id: app.id, placements }] }] };
    const { status, stderr } = await world.applyFile(file);
    expect(status).to.equal(1);
    expect(stderr).to.contain(
      'publishers[0].apps[0].placements[0].reward.callback_url: is refused. The host of the address is in a private',
    );
  });

  for (const isTest of [false, true]) {
    const what = isTest ? 'test' : 'live';
    it(`is made once for a ${what} reward, logged, and not sent to a host that became private`, async () => {
      await saveUnchecked();
      const phone = await world.phone(app, { test_mode: isTest });
      const fill = await phone.fill('rewarded');
      expectAccepted(await phone.impression(fill));
      expectRewarded(await phone.reward(fill, true), true);
      expect(await rowAfter(fill.requestId, 1)).to.include({
        app: app.id,
        placement: CODE_OF.rewarded,
        item: 'coins',
        amount: 50,
        test: isTest,
        status: 'waiting',
        attempts: 1,
        fault: 'The host of the address is in a private or reserved network.',
      });
      const replay = await world.placard('reward', 'replay', fill.requestId);
      expect(replay.status, replay.stderr).to.equal(0);
      expect(await rowAfter(fill.requestId, 2)).to.include({ attempts: 2 });
    });
  }

  it('is not made when the ad was not completed', async () => {
    await saveUnchecked();
    const phone = await world.phone(app);
    const [broken, done] = [await phone.fill('rewarded'), await phone.fill('rewarded')];
    for (const [fill, completion] of [
      [broken, false],
      [done, true],
    ] as const) {
      expectAccepted(await phone.impression(fill));
      expectRewarded(await phone.reward(fill, completion), completion);
    }
    expect(await rowAfter(done.requestId, 1)).to.include({ attempts: 1 });
    expect(await rowOf(broken.requestId)).to.equal(undefined);
  });

  it('is verified with keys that anyone may read at the gateway', async () => {
    const answer = await send(world.url, { method: 'GET', path: '/.well-known/jwks.json' });
    expect(answer.status).to.equal(200);
    expect(answer.headers['cache-control']).to.equal('public, max-age=300');
    const { keys } = JSON.parse(answer.text) as { readonly keys: readonly Row[] };
    expect(keys[0]).to.include({ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' });
    expect(keys[0]).not.to.have.property('d');
  });

  /** The publisher of the app. */
  function ownerId(): string {
    const owner = world.file().publishers?.find(({ apps }) => apps.includes(app));
    return owner?.id ?? '';
  }

  /** Saves the private address past the check, as if its host had moved since. */
  async function saveUnchecked(): Promise<void> {
    await query(
      world.running.databaseUrl,
      `UPDATE catalog.objects SET fields = fields || jsonb_build_object('reward', $2::jsonb)
       WHERE kind = 'placement' AND id = $1`,
      [`${app.id}/${CODE_OF.rewarded}`, JSON.stringify(REWARD)],
    );
  }
});
