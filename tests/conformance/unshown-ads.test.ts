import { expect } from 'chai';
import { expectAccepted } from '../driver/expect.js';
import { pass } from '../driver/phone.js';
import { World } from '../driver/world.js';

/** Money of unshown ads is returned this long after their expiry (docs/contract/selection.md#reservation). */
const GIVEN_BACK_MS_MIN = 60_000;
const GIVEN_BACK_MS_MAX = 150_000;

/** Long enough for the instance's small limit of sessions per app. */
const LOOK_EVERY_MS = 1_500;

const world = new World('short');
const { app, campaign } = world.pair({ budget_total: '0.0125' });

/** The observed returns after five fills of which two were shown: when more could be filled, and how many. */
interface Seen {
  readonly firstFillAfterExpiryMs: number;
  readonly fillCount: number;
}

const seen = world.beside(async (): Promise<Seen> => {
  const phone = await world.phone(app);
  const fills = await phone.fills(5, 'banner');
  for (const fill of fills.slice(0, 2)) expectAccepted(await phone.impression(fill));
  const expiresAt = Math.max(...fills.map((fill) => Date.parse(fill.ad.expires_at)));
  let fillCount = 0;
  let firstFillAfterExpiryMs = Infinity;
  // Looks on for a while after the first fill, so that one fill too many would be seen as well.
  const isOver = (): boolean =>
    Date.now() > expiresAt + GIVEN_BACK_MS_MAX || Date.now() > expiresAt + firstFillAfterExpiryMs + 5_000;
  while (!isOver()) {
    // Sessions live for seconds here, so each look is a new one.
    const fill = await (await world.phone(app)).request('banner');
    if (fill.body.status === 'fill') {
      fillCount += 1;
      firstFillAfterExpiryMs = Math.min(firstFillAfterExpiryMs, Date.now() - expiresAt);
      // It is shown, so that its own money is not returned.
      await world.post('/v1/events/impression', {
        request_id: fill.body.request_id,
        impression_token: fill.body.ad.impression_token,
      });
    }
    await pass(LOOK_EVERY_MS);
  }
  return { firstFillAfterExpiryMs, fillCount };
});

describe('ads that were filled and never shown', () => {
  world.use();

  it('return their reservation once, between 60 and 150 seconds after their expiry', async () => {
    const { firstFillAfterExpiryMs, fillCount } = await seen();
    expect(firstFillAfterExpiryMs).to.be.within(GIVEN_BACK_MS_MIN, GIVEN_BACK_MS_MAX);
    expect(fillCount).to.equal(3);
    const rows = await world.rows('campaign', (row) => row.campaign === campaign.id);
    expect(rows.map((row) => row.impressions)).to.deep.equal([5]);
    expect(rows.map((row) => row.spend)).to.deep.equal(['0.012500000']);
  }).timeout(GIVEN_BACK_MS_MAX + 40_000);
});
