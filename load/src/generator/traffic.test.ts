import { expect } from 'chai';
import { makeChance } from '../chance.js';
import { makeMarket } from '../market/market.js';
import { servedApps } from '../market/served-apps.js';
import { partialApi, REFUSED, type Code } from './api.js';
import { tokenlessSupply } from './supply.js';
import { Traffic } from './traffic.js';

const rules = { callsForSessions: false, endsWithoutFills: true, keepsAnswers: true };

/** Traffic whose ads live for `adMs`, and the requests of which the impressions were sent. */
async function trafficWith(adMs: number, code: Code) {
  const chance = makeChance(3);
  const sent: string[] = [];
  const api = partialApi({
    request: () => Promise.resolve({ code: 'fill', fill: { requestId: 'req_1', token: 't' } }),
    event: (_, { requestId }) => {
      sent.push(requestId);
      return Promise.resolve(code);
    },
    close: () => undefined,
  });
  const supply = { ...tokenlessSupply(), makeFill: null };
  const apps = servedApps(makeMarket(20, 3));
  const traffic = new Traffic({ api, apps, chance, supply, sessions: 4, adMs });
  await traffic.prepare(rules, 0);
  await (await traffic.next('request'))?.send(() => undefined);
  return { traffic, sent };
}

describe('the traffic of phones', () => {
  it('sends a refused impression again, and an accepted one once', async () => {
    const refused = await trafficWith(60_000, REFUSED);
    for (let times = 0; times < 2; times += 1)
      await (await refused.traffic.next('impression'))?.send(() => undefined);
    expect(refused.sent).to.deep.equal(['req_1', 'req_1']);
    const accepted = await trafficWith(60_000, 'accepted');
    await (await accepted.traffic.next('impression'))?.send(() => undefined);
    expect(await accepted.traffic.next('impression')).to.equal(null);
  });

  it('shows no ad whose life is over', async () => {
    const { traffic } = await trafficWith(0, 'accepted');
    expect(await traffic.next('impression')).to.equal(null);
  });
});
