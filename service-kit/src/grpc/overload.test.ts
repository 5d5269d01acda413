import { EventsServiceService, EventVerdict } from '@placard/protos/events/v1/events.js';
import { ServingServiceService } from '@placard/protos/serving/v1/serving.js';
import { expect } from 'chai';
import { AD_REQUEST, codeOf, makeTestScope, until, type TestScope } from '../testing/index.js';
import { openDoors } from '../overload/doors.js';
import { Abandonment } from './abandonment.js';
import { makeAnswerer, type Answer } from './answerer.js';
import { openGrpcClient } from './client.js';
import { implementService, type RpcClient } from './definitions.js';
import { openGrpcServer } from './server.js';

/** More calls than may run at the same time in a process that has not learned yet. */
const FLOOD = 300;
const EVENT = { requestId: 'req_x', impressionToken: 'token' };

describe('a gRPC server with more calls than it can answer', () => {
  let scope: TestScope;
  let serving: RpcClient<ServingServiceService>;
  let events: RpcClient<EventsServiceService>;
  /** Ends the running ad requests. */
  let finish: () => void;
  let begun: number;
  let ended: number;
  let flood: readonly Promise<string | null>[];

  beforeEach(async () => {
    scope = makeTestScope();
    begun = 0;
    ended = 0;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    const requestAd = async () => {
      begun += 1;
      await finished;
      return { requestId: 'req_x', result: undefined };
    };
    const event = () => ({ verdict: EventVerdict.ACCEPTED });
    const services = [
      implementService(ServingServiceService, { requestAd, commitReservations: () => ({}) }),
      implementService(EventsServiceService, {
        recordImpression: event,
        recordClick: event,
        recordReward: event,
        recordFallback: () => ({}),
      }),
    ];
    const { port } = await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services });
    const peer = { address: `127.0.0.1:${port}`, name: 'peer', budgetMs: 3_000 };
    serving = openGrpcClient(scope, ServingServiceService, peer);
    events = openGrpcClient(scope, EventsServiceService, peer);
    await serving.commitReservations({ outcomes: [] });
    const ask = () => codeOf(serving.requestAd(AD_REQUEST));
    flood = Array.from({ length: FLOOD }, () => ask().finally(() => (ended += 1)));
    await until(() => scope.once(openDoors).of('ads').waiting > 0);
  });

  afterEach(async () => {
    finish();
    await Promise.allSettled(flood);
    await scope.close();
  });

  it('refuses calls beyond its limit as overloaded, without beginning them', async () => {
    const { limit } = scope.once(openDoors).of('ads');
    await until(() => ended === FLOOD - limit);
    expect(begun).to.equal(limit);
    finish();
    const codes = await Promise.all(flood);
    expect(codes.filter((code) => code === 'overloaded')).to.have.length(FLOOD - limit);
  });

  it('answers events while ad requests are refused', async () => {
    expect(await events.recordImpression(EVENT)).to.deep.equal({ verdict: EventVerdict.ACCEPTED });
  });

  it('never refuses the outcomes of fills, which free money and caps', async () => {
    expect(await serving.commitReservations({ outcomes: [] })).to.deep.equal({});
  });

  it('answers ad requests again when the others have ended', async () => {
    finish();
    await Promise.all(flood);
    expect(await codeOf(serving.requestAd(AD_REQUEST))).to.equal(null);
  });

  it('counts what it refuses, by kind', async () => {
    finish();
    const codes = await Promise.all(flood);
    const refused = codes.filter((code) => code === 'overloaded').length;
    const { values } = (await scope.metrics.getSingleMetric('placard_overload_refused_total')?.get()) ?? {};
    expect(values?.find(({ labels }) => labels['kind'] === 'ads')?.value).to.equal(refused);
  });
});

describe('a call that waits for its turn', () => {
  it('is not begun when its caller has left, and takes no turn from others', async () => {
    const scope = makeTestScope();
    const door = scope.once(openDoors).of('ads');
    while (door.enter());
    let begun = 0;
    const handler = (): object => ({ begun: (begun += 1) });
    const answer = makeAnswerer(scope, 'requestAd', handler, { observe: () => undefined, kind: 'ads' });
    const abandonment = new Abandonment();
    const answers: Answer[] = [];
    const call = { deadlineAt: Infinity, requestId: '-' };
    answer({}, { ...call, abandonment }, (given) => answers.push(given));
    answer({}, call, (given) => answers.push(given));
    abandonment.abandon();
    const running = door.running;
    door.leave(0, null);
    expect(answers.map(({ error }) => error?.code)).to.deep.equal(['cancelled', undefined]);
    expect(begun).to.equal(1);
    expect(door.running).to.equal(running - 1);
    await scope.close();
  });
});
