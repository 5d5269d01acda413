import { appError, implementService, openGrpcServer, type Scope } from '@placard/service-kit';
import { MINUTE_MS, dayOf } from '@placard/service-kit/pure';
import {
  SpendServiceService,
  type FillCount,
  type GetBudgetTruthResponse,
  type HeldMinute,
  type ReportServingRequest,
  type RequestCount,
  type TrafficCount,
  type TrafficCurve,
} from '@placard/protos/events/v1/events.js';
import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';

/** A stand-in for events-service that keeps what it is told. */
export interface FakeSpend {
  readonly address: string;
  readonly requests: RequestCount[];
  readonly fills: FillCount[];
  /** Found in counters beyond the reports, nano-units by campaign and minute, `cmp|minute`. */
  readonly found: Map<string, HeldMinute>;
  readonly traffic: TrafficCount[];
  /** The learned days of traffic that it answers. */
  readonly curves: TrafficCurve[];
  /** Accepted nano-units by campaign and minute, `cmp|minute`. */
  readonly accepted: Map<string, bigint>;
  /** Makes every call fail as a peer that is away. */
  isDown: boolean;
  /** Asked of each report; true: it fails too. */
  isLate: (reporterId: string) => boolean;
}

/** A stand-in for fraud-service. */
export interface FakeFraud {
  readonly address: string;
  passes: boolean;
  isDown: boolean;
  asked: number;
}

function failWhen(isDown: boolean): void {
  if (isDown) throw appError('unavailable', 'Down for the test.');
}

/** Opens the stand-in on a free port; `nowMs` decides which fills are over. */
export async function openFakeSpend(scope: Scope, nowMs: () => number): Promise<FakeSpend> {
  const seen = new Set<string>();
  const fake: FakeSpend = {
    ...{ address: '', requests: [], fills: [], traffic: [], curves: [] },
    ...{ accepted: new Map(), found: new Map(), isDown: false, isLate: () => false },
  };
  const report = (request: ReportServingRequest): void => {
    const name = `${request.reporterId}|${request.sequence}`;
    if (seen.has(name)) return;
    seen.add(name);
    fake.requests.push(...request.requests);
    fake.fills.push(...request.fills);
    fake.traffic.push(...request.traffic);
  };
  const service = implementService(SpendServiceService, {
    getBudgetTruth: async ({ advertiserId, campaignIds }) => {
      failWhen(fake.isDown);
      return Promise.resolve(truthOf(fake, { advertiserId, campaignIds, nowMs: nowMs() }));
    },
    getAcceptedSums: async ({ minutes }) => {
      failWhen(fake.isDown);
      return Promise.resolve({
        sums: minutes.map(({ campaignId, minute }) => ({
          campaignId,
          minute,
          acceptedNanos: fake.accepted.get(`${campaignId}|${minute}`) ?? 0n,
          impressions: 0n,
        })),
      });
    },
    reportServing: async (request) => {
      failWhen(fake.isLate(request.reporterId) || fake.isDown);
      report(request);
      return Promise.resolve({});
    },
    reportReservations: async ({ minutes }) => {
      failWhen(fake.isDown);
      return Promise.resolve({ minutes: minutes.map((held) => find(fake, held)) });
    },
    getTrafficCurves: async () => {
      failWhen(fake.isDown);
      return Promise.resolve({ curves: fake.curves });
    },
  });
  const { port } = await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services: [service] });
  return Object.assign(fake, { address: `127.0.0.1:${port}` });
}

/** Keeps what is held beyond the reported fills, and answers what was known before. */
function find(fake: FakeSpend, held: HeldMinute) {
  const { campaignId, minute } = held;
  const name = `${campaignId}|${minute}`;
  const reportedNanos = fake.fills
    .filter((fill) => fill.campaignId === campaignId && fill.minute === minute)
    .reduce((sum, fill) => sum + fill.reservedNanos, 0n);
  const before = fake.found.get(name)?.reservedNanos ?? 0n;
  const news = held.reservedNanos - reportedNanos;
  if (news > before) fake.found.set(name, { ...held, reservedNanos: news });
  return { campaignId, minute, reportedNanos, knownNanos: reportedNanos + before };
}

function truthOf(
  fake: FakeSpend,
  asked: { readonly advertiserId: string; readonly campaignIds: readonly string[]; readonly nowMs: number },
): GetBudgetTruthResponse {
  const all = [...fake.fills, ...fake.found.values()];
  const own = all.filter((fill) => fill.advertiserId === asked.advertiserId);
  const campaigns = new Set([...own.map((fill) => fill.campaignId), ...asked.campaignIds]);
  const accepted = [...fake.accepted].map(([name, nanos]) => {
    const [campaignId = '', minute = ''] = name.split('|');
    return { campaignId, minute: Number(minute), nanos };
  });
  const sumOf = (rows: typeof accepted): bigint => rows.reduce((sum, row) => sum + row.nanos, 0n);
  const today = dayOf(asked.nowMs);
  return {
    advertiserAcceptedNanos: sumOf(accepted.filter((row) => campaigns.has(row.campaignId))),
    openMinutes: openMinutes(fake, own, asked.nowMs),
    campaigns: asked.campaignIds.map((campaignId) => {
      const rows = accepted.filter((row) => row.campaignId === campaignId);
      return {
        campaignId,
        acceptedNanos: sumOf(rows),
        days: [today - 1, today].map((day) => ({
          day: BigInt(day),
          acceptedNanos: sumOf(rows.filter((row) => dayOf(row.minute * MINUTE_MS) === day)),
        })),
      };
    }),
  };
}

function openMinutes(fake: FakeSpend, fills: readonly HeldMinute[], nowMs: number) {
  const minutes = new Map<string, { reserved: bigint; expiresAtMs: bigint; fill: HeldMinute }>();
  for (const fill of fills) {
    if (Number(fill.expiresAtMs) <= nowMs) continue;
    const name = `${fill.campaignId}|${fill.minute}`;
    const known = minutes.get(name);
    const latest =
      known !== undefined && known.expiresAtMs > fill.expiresAtMs ? known.expiresAtMs : fill.expiresAtMs;
    minutes.set(name, { reserved: (known?.reserved ?? 0n) + fill.reservedNanos, expiresAtMs: latest, fill });
  }
  return [...minutes].map(([name, { reserved, expiresAtMs, fill }]) => ({
    campaignId: fill.campaignId,
    minute: fill.minute,
    reservedNanos: reserved,
    acceptedNanos: fake.accepted.get(name) ?? 0n,
    expiresAtMs,
  }));
}

/** Opens the stand-in on a free port; at first every request passes. */
export async function openFakeFraud(scope: Scope): Promise<FakeFraud> {
  const fake: FakeFraud = { address: '', passes: true, isDown: false, asked: 0 };
  const service = implementService(FraudServiceService, {
    judgeAdRequest: async () => {
      fake.asked += 1;
      failWhen(fake.isDown);
      return Promise.resolve({ passes: fake.passes });
    },
    judgeEvents: async () => Promise.resolve({ judgements: [] }),
    recordSuspiciousEvents: async () => Promise.resolve({}),
  });
  const { port } = await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services: [service] });
  return Object.assign(fake, { address: `127.0.0.1:${port}` });
}
