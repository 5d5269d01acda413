import { CALLS, type Part } from '../part.js';
import { by, made, methods, returned } from '../replace.js';

const ANSWERING = [
  'gateway',
  'session-service',
  'serving-service',
  'events-service',
  'fraud-service',
] as const;
const nothing = by(() => undefined);

/** Parts for observation: metrics and logs. */
export const WATCHING_PARTS: readonly Part[] = [
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
      {
        module: 'service-kit/dist/process/durations.js',
        name: 'Durations',
        processes: ANSWERING,
        replace: methods({ of: returned(nothing) }),
      },
    ],
  },
  {
    id: 'logging',
    name: 'logging',
    calls: CALLS,
    instead: 'nothing is logged (a successful call logs nothing)',
    isIdle: true,
    patches: [
      {
        module: 'service-kit/dist/process/logs.js',
        name: 'makeLogger',
        processes: ANSWERING,
        replace: made({ debug: nothing, info: nothing, warn: nothing, error: nothing }),
      },
    ],
  },
];
