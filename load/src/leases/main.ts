import { Client, credentials } from '@grpc/grpc-js';
import { SpendServiceService, type ExchangeLeasesResponse } from '@placard/protos/events/v1/events.js';
import { fromExchange, toExchange } from '@placard/serving-service/clients/lease-wire.js';
import type { SpendClient } from '@placard/serving-service/clients/spend-client.js';
import type { IndexedCampaign } from '@placard/serving-service/selection/domain/indexed-campaign.js';
import { makeChance } from '../chance.js';
import { encodeHistogram, makeHistogram, recordMs } from '../histogram.js';
import { makeLeasedCampaigns } from './campaigns.js';
import type { ReplicaFigures } from './figures.js';
import type { LeaseAssignment, LeaseOrder, LeaseReply } from './messages.js';
import { GeneratedReplica } from './replica.js';

/** Interval at which due requests are made. */
const STEP_MS = 5;
const SECOND_MS = 1_000;
const EXCHANGE_MS_MAX = 5_000;

/** The counts. They start again after the warm-up. */
class Counts {
  readonly #exchangeTimes = makeHistogram();
  readonly #waitTimes = makeHistogram();
  readonly verdicts: Record<string, number> = {};
  requests = 0;
  fills = 0;
  waits = 0;
  exchanges = 0;
  wants = 0;
  reports = 0;
  peeks = 0;
  failures = 0;

  exchanged(seconds: number): void {
    this.exchanges += 1;
    recordMs(this.#exchangeTimes, seconds * SECOND_MS);
  }

  waited(ms: number): void {
    this.waits += 1;
    recordMs(this.#waitTimes, ms);
  }

  figures(): ReplicaFigures {
    return {
      verdicts: this.verdicts,
      requests: this.requests,
      fills: this.fills,
      waits: this.waits,
      exchanges: this.exchanges,
      wants: this.wants,
      reports: this.reports,
      peeks: this.peeks,
      failures: this.failures,
      exchangeTimes: encodeHistogram(this.#exchangeTimes),
      waitTimes: encodeHistogram(this.#waitTimes),
    };
  }
}

let counts = new Counts();
let replicas: readonly GeneratedReplica[] = [];
let timer: NodeJS.Timeout | undefined;

function begin({ address, campaigns, replicas: count, rate, seed }: LeaseAssignment): void {
  const entries = makeLeasedCampaigns(campaigns, seed);
  const byId = new Map(entries.map((entry) => [entry.campaign.id, entry]));
  const listener = {
    onWant: (verdict: string) => void (counts.verdicts[verdict] = (counts.verdicts[verdict] ?? 0) + 1),
    onExchange: (seconds: number) => counts.exchanged(seconds),
    onWait: (ms: number) => counts.waited(ms),
    onFailure: () => void (counts.failures += 1),
  };
  // Each replica has its own connection, like a process.
  replicas = Array.from({ length: count }, () => new GeneratedReplica(byId, exchangeOver(address), listener));
  sell(entries, { rate, seed });
}

function exchangeOver(address: string): SpendClient['exchange'] {
  const client = new Client(address, credentials.createInsecure(), { 'grpc.use_local_subchannel_pool': 1 });
  const { path, requestSerialize, responseDeserialize } = SpendServiceService.exchangeLeases;
  return (request) =>
    new Promise((resolve, reject) => {
      counts.wants += request.wants.length;
      counts.reports += request.reports.length;
      counts.peeks += request.peeks.length;
      const deadline = Date.now() + EXCHANGE_MS_MAX;
      const done = (error: Error | null, answer?: ExchangeLeasesResponse): void => {
        if (answer === undefined) reject(error ?? new Error('there is no answer'));
        else resolve(fromExchange(answer));
      };
      client.makeUnaryRequest(
        path,
        requestSerialize,
        responseDeserialize,
        toExchange(request),
        { deadline },
        done,
      );
    });
}

/** An open loop over random replicas and campaigns. */
function sell(
  entries: readonly IndexedCampaign[],
  { rate, seed }: { readonly rate: number; readonly seed: number },
): void {
  const chance = makeChance(seed);
  const startedAt = performance.now();
  let made = 0;
  timer = setInterval(() => {
    const due = ((performance.now() - startedAt) * rate) / SECOND_MS;
    for (; made < due; made += 1) {
      counts.requests += 1;
      void chance
        .pick(replicas)
        .request(chance.pick(entries))
        .then((isFilled) => (counts.fills += isFilled ? 1 : 0));
    }
  }, STEP_MS);
}

async function end(): Promise<ReplicaFigures> {
  const figures = counts.figures();
  clearInterval(timer);
  await Promise.all(replicas.map((replica) => replica.close().catch(() => undefined)));
  return figures;
}

const reply = (message: LeaseReply): void => void process.send?.(message);

process.on('disconnect', () => process.exit(0));
process.on('message', (order: LeaseOrder) => {
  if (order.kind === 'end') {
    void end().then((figures) => reply({ kind: 'figures', figures }));
    return;
  }
  if (order.kind === 'begin') begin(order.assignment);
  else counts = new Counts();
  reply({ kind: 'done' });
});
