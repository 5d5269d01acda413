import { appError, type Scope } from '@placard/service-kit';
import { implementService, openGrpcServer } from '@placard/service-kit/grpc';
import {
  SpendServiceService,
  type FillCount,
  type LossCount,
  type ReportServingRequest,
  type RequestCount,
  type TrafficCount,
  type TrafficCurve,
} from '@placard/protos/events/v1/events.js';
import { ExplainServiceService, type ExplainedRequest } from '@placard/protos/explain/v1/explain.js';
import { FraudServiceService } from '@placard/protos/fraud/v1/fraud.js';
import { LeaseBank } from './lease-bank.js';

/** A fake of events-service that stores the calls. */
export interface FakeSpend {
  readonly address: string;
  readonly requests: RequestCount[];
  readonly fills: FillCount[];
  readonly bank: LeaseBank;
  readonly traffic: TrafficCount[];
  readonly losses: LossCount[];
  /** Explanations that were kept. */
  readonly explained: ExplainedRequest[];
  /** The learned days of traffic in its answers. */
  readonly curves: TrafficCurve[];
  /** True: every call fails as if the peer were unavailable. */
  isDown: boolean;
}

/** A fake of fraud-service. */
export interface FakeFraud {
  readonly address: string;
  passes: boolean;
  isDown: boolean;
  asked: number;
}

function failWhen(isDown: boolean): void {
  if (isDown) throw appError('unavailable', 'Down for the test.');
}

/** Opens the fake on a free port. Its leases follow this clock. */
export async function openFakeSpend(scope: Scope, nowMs: () => number): Promise<FakeSpend> {
  const seen = new Set<string>();
  const fake: FakeSpend = {
    address: '',
    requests: [],
    fills: [],
    traffic: [],
    losses: [],
    explained: [],
    curves: [],
    bank: new LeaseBank(nowMs),
    isDown: false,
  };
  const report = (request: ReportServingRequest): void => {
    const name = `${request.reporterId}|${request.sequence}`;
    if (seen.has(name)) return;
    seen.add(name);
    fake.requests.push(...request.requests);
    fake.fills.push(...request.fills);
    fake.traffic.push(...request.traffic);
    fake.losses.push(...request.losses);
  };
  const service = implementService(SpendServiceService, {
    exchangeLeases: async (request) => {
      failWhen(fake.isDown);
      return Promise.resolve(fake.bank.exchange(request));
    },
    reportServing: async (request) => {
      failWhen(fake.isDown);
      report(request);
      return Promise.resolve({});
    },
    getTrafficCurves: async () => {
      failWhen(fake.isDown);
      return Promise.resolve({ curves: fake.curves });
    },
  });
  const explaining = implementService(ExplainServiceService, {
    recordRequests: async ({ requests }) => {
      failWhen(fake.isDown);
      fake.explained.push(...requests);
      return Promise.resolve({});
    },
    getFunnel: async () => Promise.resolve({ asOfMs: 0n, hours: [] }),
    getRequest: async () => Promise.resolve({ request: undefined }),
  });
  const services = [service, explaining];
  const { port } = await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services });
  return Object.assign(fake, { address: `127.0.0.1:${port}` });
}

/** Opens the fake on a free port. At first every request passes. */
export async function openFakeFraud(scope: Scope): Promise<FakeFraud> {
  const fake: FakeFraud = { address: '', passes: true, isDown: false, asked: 0 };
  const service = implementService(FraudServiceService, {
    judgeAdRequest: async () => {
      fake.asked += 1;
      failWhen(fake.isDown);
      return Promise.resolve({ passes: fake.passes });
    },
    judgeEvents: async () => Promise.resolve({ judgements: [] }),
    findSuspiciousEvents: async () => Promise.resolve({ events: [] }),
    countSuspiciousEvents: async () => Promise.resolve({ rows: [], rowsLeftOut: 0n }),
    recordSuspiciousEvents: async () => Promise.resolve({}),
  });
  const { port } = await openGrpcServer(scope, { host: '127.0.0.1', port: 0, services: [service] });
  return Object.assign(fake, { address: `127.0.0.1:${port}` });
}
