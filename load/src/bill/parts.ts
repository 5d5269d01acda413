import type { ServiceName } from '@placard/local';
import type { Operation } from '../operations.js';
import { by, byFirst, made, madeFunction, madeMap, methods, type Callable, type Replace } from './replace.js';
import { allPass, opening, sealing, storedKeys, uncheckedClaims, unpaid } from './stands.js';

/** The calls that have a bill. */
export const CALLS = ['session', 'request', 'impression'] as const;
/** One of them. */
export type Call = (typeof CALLS)[number];

/** What phones send for it. */
export const OPERATION_OF: Readonly<Record<Call, Operation>> = {
  session: 'initialize',
  request: 'request',
  impression: 'impression',
};

/** An export of the product that is replaced. */
export interface Patch {
  /** From the repository's folder, as built; or the name of a package. */
  readonly module: string;
  readonly name: string;
  readonly processes: readonly ServiceName[];
  readonly replace: Replace;
}

/** Something that a call does and can be left out of it, so that the answer stays valid. */
export interface Part {
  readonly id: string;
  readonly name: string;
  readonly calls: readonly Call[];
  /** What stands in for it. */
  readonly instead: string;
  /** The part that is left out with this one: the rest is the call between two services. None: it holds no other. */
  readonly holds?: string;
  /** Whether ads and sessions of a call without it may be used later; without it, yes. */
  readonly keeps?: false;
  /** Whether impressions without it are settled; without it, yes. */
  readonly settles?: false;
  /** Never used by a call that goes well; without it, a part that is not used is a fault. */
  readonly isIdle?: true;
  readonly patches: readonly Patch[];
}

const IN_GATEWAY = ['gateway'] as const;
const IN_SERVING = ['serving-service'] as const;
const IN_EVENTS = ['events-service'] as const;
const IN_FRAUD = ['fraud-service'] as const;
const IN_SESSION = ['session-service'] as const;
const ANSWERING = [
  'gateway',
  'session-service',
  'serving-service',
  'events-service',
  'fraud-service',
] as const;
const SEALING = ['session-service', 'serving-service'] as const;

const resolved = (value: unknown): Callable => {
  const promise = Promise.resolve(value);
  return () => promise;
};
const nothing = by(() => undefined);
const isFill = (answer: unknown): boolean => (answer as { readonly status: string }).status === 'fill';
const isFilled = (answer: unknown): boolean =>
  (answer as { readonly result: { readonly kind: string } }).result.kind === 'fill';

/** All parts, by the way of a call. */
export const PARTS: readonly Part[] = [
  {
    id: 'limits',
    name: 'rate limits',
    calls: CALLS,
    instead: 'every request is let in, and counted nowhere',
    patches: [
      {
        module: 'gateway/dist/middleware/admission.js',
        name: 'makeAdmissions',
        processes: IN_GATEWAY,
        replace: made({
          byNetwork: by(resolved({ taken: [] })),
          byKeys: by((_group, _keys, before) => Promise.resolve({ taken: before })),
        }),
      },
    ],
  },
  {
    id: 'validation',
    name: 'validation of the body',
    calls: CALLS,
    instead: 'every body is valid',
    patches: [
      {
        module: 'gateway/dist/middleware/validators.js',
        name: 'compileValidators',
        processes: IN_GATEWAY,
        replace: madeMap(by(() => null)),
      },
    ],
  },
  {
    id: 'compression',
    name: 'compression',
    calls: CALLS,
    instead: 'the next handler (answers are compressed only with --gzip)',
    patches: [
      {
        module: 'gateway/dist/middleware/compress.js',
        name: 'compressWhereAccepted',
        processes: IN_GATEWAY,
        replace: madeFunction(by((_req, _res, next) => (next as () => void)())),
      },
    ],
  },
  {
    id: 'country',
    name: 'look-up of the country',
    calls: ['request'],
    instead: 'every address is in the US',
    patches: [
      {
        module: 'gateway/dist/store/country-database.js',
        name: 'openCountryDatabase',
        processes: IN_GATEWAY,
        replace: madeFunction(by(() => 'US')),
      },
    ],
  },
  {
    id: 'session-service',
    name: 'session-service: call and work',
    calls: ['session'],
    instead: 'the gateway answers with the first session that it was given',
    holds: 'session-work',
    keeps: false,
    patches: [
      {
        module: 'gateway/dist/clients/session.js',
        name: 'openSessionClient',
        processes: IN_GATEWAY,
        replace: made({ startSession: byFirst() }),
      },
    ],
  },
  {
    id: 'session-work',
    name: 'session-service: work',
    calls: ['session'],
    instead: 'session-service answers with its first session',
    keeps: false,
    patches: [
      {
        module: 'session-service/dist/usecase/start-session.js',
        name: 'makeStartSession',
        processes: IN_SESSION,
        replace: madeFunction(byFirst()),
      },
    ],
  },
  {
    id: 'serving-service',
    name: 'serving-service: call and work, with all behind it',
    calls: ['request'],
    instead: 'the gateway answers with the first fill that it was given',
    holds: 'serving-work',
    keeps: false,
    patches: [
      {
        module: 'gateway/dist/clients/serving.js',
        name: 'openServingClient',
        processes: IN_GATEWAY,
        replace: made({ requestAd: byFirst(isFill) }),
      },
    ],
  },
  {
    id: 'serving-work',
    name: 'serving-service: work, with all behind it',
    calls: ['request'],
    instead: 'serving-service answers with its first fill',
    keeps: false,
    patches: [
      {
        module: 'serving-service/dist/usecase/request-ad.js',
        name: 'makeRequestAd',
        processes: IN_SERVING,
        replace: madeFunction(byFirst(isFilled)),
      },
    ],
  },
  {
    id: 'events-service',
    name: 'events-service: call and work, with all behind it',
    calls: ['impression'],
    instead: 'the gateway accepts every impression',
    holds: 'events-work',
    settles: false,
    patches: [
      {
        module: 'gateway/dist/clients/events.js',
        name: 'openEventsClient',
        processes: IN_GATEWAY,
        replace: made({ recordImpression: by(resolved('accepted')) }),
      },
    ],
  },
  {
    id: 'events-work',
    name: 'events-service: work, with all behind it',
    calls: ['impression'],
    instead: 'events-service accepts every event',
    settles: false,
    patches: [
      {
        module: 'events-service/dist/usecase/record-event.js',
        name: 'makeRecordEvent',
        processes: IN_EVENTS,
        replace: madeFunction(by(resolved('accepted'))),
      },
    ],
  },
  {
    id: 'fraud-service',
    name: 'fraud-service: call and rules',
    calls: ['request', 'impression'],
    instead: 'who would ask lets everything pass',
    holds: 'fraud-rules',
    patches: [
      {
        module: 'serving-service/dist/clients/fraud-client.grpc.js',
        name: 'openFraudClient',
        processes: IN_SERVING,
        replace: made({ passes: by(resolved(true)) }),
      },
      {
        module: 'events-service/dist/clients/fraud.js',
        name: 'openFraudClient',
        processes: IN_EVENTS,
        replace: made({ judge: by(allPass) }),
      },
    ],
  },
  {
    id: 'fraud-rules',
    name: 'fraud-service: rules',
    calls: ['request', 'impression'],
    instead: 'fraud-service lets everything pass',
    patches: [
      {
        module: 'fraud-service/dist/usecase/judge-ad-request.js',
        name: 'makeJudgeAdRequest',
        processes: IN_FRAUD,
        replace: madeFunction(by(resolved(null))),
      },
      {
        module: 'fraud-service/dist/usecase/judge-events.js',
        name: 'makeJudgeEvents',
        processes: IN_FRAUD,
        replace: madeFunction(
          by((events) => Promise.resolve((events as readonly unknown[]).map(() => null))),
        ),
      },
    ],
  },
  {
    id: 'caps',
    name: 'frequency caps',
    calls: ['request', 'impression'],
    instead: 'no session has seen an ad, and every claim succeeds',
    patches: [
      {
        module: 'serving-service/dist/store/caps.redis.js',
        name: 'makeRedisCaps',
        processes: IN_SERVING,
        replace: made({
          counts: by(() => Promise.resolve(new Map())),
          claim: by(resolved(null)),
          settle: by(resolved(undefined)),
        }),
      },
    ],
  },
  {
    id: 'sealing',
    name: 'sealing of the token',
    calls: ['session', 'request'],
    instead: 'a token that was sealed before; the text of this one stands behind it',
    keeps: false,
    patches: [
      { module: 'service-kit/dist/tokens/seal.js', name: 'makeSealer', processes: SEALING, replace: sealing },
    ],
  },
  {
    id: 'opening',
    name: 'opening of the token',
    calls: ['impression'],
    instead: 'the text is read from behind the token',
    patches: [
      {
        module: 'service-kit/dist/tokens/seal.js',
        name: 'makeSealer',
        processes: ['serving-service', 'events-service'],
        replace: opening,
      },
    ],
  },
  {
    id: 'claims',
    name: 'check of what the token says',
    calls: ['impression'],
    instead: 'what the token says is taken unchecked',
    patches: [
      {
        module: 'service-kit/dist/tokens/claims.js',
        name: 'readImpressionClaims',
        processes: IN_EVENTS,
        replace: by(uncheckedClaims),
      },
    ],
  },
  {
    id: 'history',
    name: 'look-up of earlier events',
    calls: ['impression'],
    instead: 'nothing is known of the ad',
    patches: [
      {
        module: 'events-service/dist/store/events.pg.js',
        name: 'openEventStore',
        processes: IN_EVENTS,
        replace: made({ history: by(() => Promise.resolve(new Map())) }),
      },
    ],
  },
  {
    id: 'insert',
    name: 'insert and settlement',
    calls: ['impression'],
    instead: 'all are answered as stored',
    settles: false,
    holds: 'settlement',
    patches: [
      {
        module: 'events-service/dist/store/events.pg.js',
        name: 'openEventStore',
        processes: IN_EVENTS,
        replace: made({ insert: by(storedKeys) }),
      },
    ],
  },
  {
    id: 'settlement',
    name: 'settlement, with the sums of leases',
    calls: ['impression'],
    instead: 'rows are stored as those of test ads, which nobody pays',
    settles: false,
    patches: [
      {
        module: 'events-service/dist/store/events.pg.js',
        name: 'openEventStore',
        processes: IN_EVENTS,
        replace: unpaid,
      },
    ],
  },
  {
    id: 'news',
    name: 'news of impressions for serving-service',
    calls: ['impression'],
    instead: 'serving-service is told nothing',
    patches: [
      {
        module: 'events-service/dist/clients/serving.js',
        name: 'openServingClient',
        processes: IN_EVENTS,
        replace: made({ commit: by(resolved(undefined)) }),
      },
    ],
  },
  {
    id: 'reports',
    name: 'counters of reports',
    calls: ['request'],
    instead: 'nothing is counted or sent',
    patches: [
      {
        module: 'serving-service/dist/usecase/serving-report.js',
        name: 'ServingReport',
        processes: IN_SERVING,
        replace: methods({ countRequest: nothing, countFill: nothing, countTraffic: nothing }),
      },
    ],
  },
  {
    id: 'metrics',
    name: 'metrics',
    calls: CALLS,
    instead: 'nothing is counted or measured',
    patches: [
      {
        module: 'prom-client',
        name: 'Counter',
        processes: ANSWERING,
        replace: methods({ incWithoutExemplar: nothing }),
      },
      {
        module: 'prom-client',
        name: 'Histogram',
        processes: ANSWERING,
        replace: methods({ observeWithoutExemplar: nothing }),
      },
    ],
  },
  {
    id: 'logging',
    name: 'logging',
    calls: CALLS,
    instead: 'nothing is logged (a call that goes well logs nothing)',
    isIdle: true,
    patches: [
      {
        module: 'service-kit/dist/logs.js',
        name: 'makeLogger',
        processes: ANSWERING,
        replace: made({ debug: nothing, info: nothing, warn: nothing, error: nothing }),
      },
    ],
  },
];

/** The part of that id. Throws an `Error` when there is none. */
export function partOf(id: string): Part {
  const part = PARTS.find((one) => one.id === id);
  if (part === undefined)
    throw new Error(`--parts: no part ${id}; there are ${PARTS.map((one) => one.id).join(', ')}`);
  return part;
}
