import { CALLS, type Part } from '../part.js';
import { by, made, madeFunction, madeMap, resolved } from '../replace.js';

const IN_GATEWAY = ['gateway'] as const;

/** Parts of every request in the gateway. */
export const GATEWAY_PARTS: readonly Part[] = [
  {
    id: 'limits',
    name: 'rate limits',
    calls: CALLS,
    instead: 'every request is admitted and none is counted',
    patches: [
      {
        module: 'gateway/dist/limits/middleware/admission.js',
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
        module: 'gateway/dist/sdk/middleware/validators.js',
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
        module: 'gateway/dist/edge/middleware/compress.js',
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
        module: 'gateway/dist/edge/store/country-database.js',
        name: 'readCountryDatabase',
        processes: IN_GATEWAY,
        replace: madeFunction(by(() => 'US')),
      },
    ],
  },
];
