import type { Part } from '../part.js';
import { by, byFirst, made, madeFunction, resolved } from '../replace.js';
import { allPass } from '../stands.js';

const IN_GATEWAY = ['gateway'] as const;
const IN_SERVING = ['serving-service'] as const;
const IN_EVENTS = ['events-service'] as const;
const IN_FRAUD = ['fraud-service'] as const;
const IN_SESSION = ['session-service'] as const;
const isFill = (answer: unknown): boolean => (answer as { readonly status: string }).status === 'fill';
const isFilled = (answer: unknown): boolean =>
  (answer as { readonly result: { readonly kind: string } }).result.kind === 'fill';

/** The calls between services, and the work at their ends. */
export const SERVICES_PARTS: readonly Part[] = [
  {
    id: 'session-service',
    name: 'session-service: call and work',
    calls: ['session'],
    instead: 'the gateway answers with the first session that it received',
    holds: 'session-work',
    keeps: false,
    patches: [
      {
        module: 'gateway/dist/sdk/clients/session.js',
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
    instead: 'the gateway answers with the first fill that it received',
    holds: 'serving-work',
    keeps: false,
    patches: [
      {
        module: 'gateway/dist/sdk/clients/serving.js',
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
        module: 'serving-service/dist/ads/usecase/request-ad.js',
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
        module: 'gateway/dist/sdk/clients/events.js',
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
        module: 'events-service/dist/events/usecase/record-event.js',
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
    instead: 'the caller accepts everything',
    holds: 'fraud-rules',
    patches: [
      {
        module: 'serving-service/dist/ads/clients/fraud-client.grpc.js',
        name: 'openFraudClient',
        processes: IN_SERVING,
        replace: made({ passes: by(resolved(true)) }),
      },
      {
        module: 'events-service/dist/events/clients/fraud.grpc.js',
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
    instead: 'fraud-service accepts everything',
    patches: [
      {
        module: 'fraud-service/dist/usecase/judge-traffic.js',
        name: 'makeJudgeTraffic',
        processes: IN_FRAUD,
        replace: madeFunction(by(resolved(null))),
      },
    ],
  },
];
