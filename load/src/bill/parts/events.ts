import type { Part } from '../part.js';
import { by, made } from '../replace.js';
import { storedKeys, unpaid } from '../stands.js';

const IN_EVENTS = ['events-service'] as const;

/** Parts of an impression in events-service and in Postgres. */
export const EVENTS_PARTS: readonly Part[] = [
  {
    id: 'history',
    name: 'look-up of earlier events',
    calls: ['impression'],
    instead: 'the ad has no earlier events',
    patches: [
      {
        module: 'events-service/dist/events/store/events.pg.js',
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
    instead: 'every event is answered as stored',
    settles: false,
    holds: 'settlement',
    patches: [
      {
        module: 'events-service/dist/events/store/events.pg.js',
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
    instead: 'rows are stored as rows of test ads, which cost nothing',
    settles: false,
    patches: [
      {
        module: 'events-service/dist/events/store/events.pg.js',
        name: 'openEventStore',
        processes: IN_EVENTS,
        replace: unpaid,
      },
    ],
  },
];
