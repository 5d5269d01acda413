import { expect } from 'chai';
import { sendJson } from '../driver/http.js';
import { freshAddress, inTurns, waitForRoomInMinute } from '../driver/phone.js';
import type { Fields } from '../driver/phone.js';
import { World } from '../driver/world.js';

const world = new World('plain');
const app = world.app();
/** An app that only one test uses, so that its limit begins unused. */
const countedApp = world.app();

const WIDTH = 48;
const MINUTE_MS = 60_000;
/** Time that a limit takes on a fast machine. On a slower one the test continues in the next minute. */
const ROOM_MS = 15_000;
const NETWORKS = 40;

/** A limit of the contract of thousands of requests. Blocks of the limit may let at most 110 % pass. */
interface BigLimit {
  readonly name: string;
  readonly path: string;
  readonly limit: number;
  /** Networks over which the requests are spread. */
  readonly networks: number;
  /** Fields of a request. `token` belongs to a session of {@link countedApp}, or is invalid. */
  readonly fields: (index: number, token: string) => Fields;
  /** Sessions over which the requests are spread; 0: their tokens are invalid. */
  readonly sessions: number;
}

/** Number of sessions. Each gets fewer requests than the limit of a session. */
const SESSIONS = 200;

const ask = (index: number): Fields => ({
  app_key: app.app_key,
  placement: 'x',
  format: 'banner',
  session_token: `none.${index}`,
});
/** An ad request with a session. A request that is answered 401 does not count for the app key. */
const askInSession = (_: number, token: string): Fields => ({
  app_key: countedApp.app_key,
  placement: 'x',
  format: 'banner',
  session_token: token,
});
const event = (index: number): Fields => ({
  request_id: `req_${index}`,
  impression_token: `none.${index}`,
  completion: true,
});

const LIMITS: readonly BigLimit[] = [
  {
    name: 'ad requests per network',
    path: '/v1/ads/request',
    limit: 6_000,
    networks: 1,
    sessions: 0,
    fields: ask,
  },
  {
    name: 'ad requests per app key',
    path: '/v1/ads/request',
    limit: 20_000,
    networks: NETWORKS,
    sessions: SESSIONS,
    fields: askInSession,
  },
  {
    name: 'events per network',
    path: '/v1/events/reward',
    limit: 12_000,
    networks: 1,
    sessions: 0,
    fields: event,
  },
  {
    name: 'fallbacks per network',
    path: '/v1/events/fallback',
    limit: 12_000,
    networks: 1,
    sessions: 0,
    fields: (index) => ({ session_token: `none.${index}`, placement: 'x', reason: 'error' }),
  },
];

describe("the contract's large rate limits", () => {
  world.use();

  for (const { name, path, limit, networks, sessions, fields } of LIMITS) {
    it(`lets ${limit} ${name} pass in a minute, and at most 110 %`, async () => {
      const begun = await inTurns(sessions, WIDTH, () => world.initialize(countedApp));
      const tokens = begun.map(({ body }) => body.session_token);
      await waitForRoomInMinute(ROOM_MS);
      const addresses = Array.from({ length: networks }, () => freshAddress());
      const count = Math.ceil(limit * 1.15);
      const edgeMs = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
      const answers = await inTurns(count, WIDTH, (index) =>
        sendJson(world.url, path, fields(index, tokens[index % sessions] ?? 'none'), {
          'x-forwarded-for': addresses[index % networks]!,
        }),
      );
      const passed = answers.filter((answer) => answer.status !== 429).length;
      // The window slides: after the end of the minute the limit becomes free at the rate of time.
      const minutesBehindEdge = Math.max(0, Date.now() - edgeMs) / MINUTE_MS;
      expect(passed).to.be.within(limit, limit * (1.1 + minutesBehindEdge));
      expect(answers.some((answer) => answer.status >= 500)).to.equal(false);
    }).timeout(5 * MINUTE_MS);
  }
});
