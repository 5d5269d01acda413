import type { Part } from '../part.js';
import { by, made, methods, resolved } from '../replace.js';

const IN_SERVING = ['serving-service'] as const;
const IN_EVENTS = ['events-service'] as const;
const nothing = by(() => undefined);

/** Parts of an ad request besides the selection, and of the impression after it. */
export const ADS_PARTS: readonly Part[] = [
  {
    id: 'caps',
    name: 'frequency caps',
    calls: ['request', 'impression'],
    instead: 'no session has seen an ad, and every claim succeeds',
    patches: [
      {
        module: 'serving-service/dist/caps/store/cap-store.redis.js',
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
    id: 'reports',
    name: 'counters of reports',
    calls: ['request'],
    instead: 'nothing is counted or sent',
    patches: [
      {
        module: 'serving-service/dist/ads/usecase/serving-report.js',
        name: 'ServingReport',
        processes: IN_SERVING,
        replace: methods({ countRequest: nothing, countFill: nothing, countTraffic: nothing }),
      },
    ],
  },
  {
    id: 'news',
    name: 'news of impressions for serving-service',
    calls: ['impression'],
    instead: 'serving-service gets no reports of impressions',
    patches: [
      {
        module: 'events-service/dist/events/clients/serving.grpc.js',
        name: 'openServingClient',
        processes: IN_EVENTS,
        replace: made({ commit: by(resolved(undefined)) }),
      },
    ],
  },
];
