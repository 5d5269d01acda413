import { CLIENT_OUTAGES } from './faults/clients.js';
import { IDENTITY_OUTAGES } from './faults/identities.js';
import { MONEY_OUTAGES } from './faults/money.js';
import { EVERYTHING_GONE, PROCESS_OUTAGES, REPLICA_OUTAGES } from './faults/processes.js';
import { STORE_OUTAGES } from './faults/stores.js';
import type { Outage } from './outage.js';

/** Every recorded outage, in an order in which one product can have them all, and one with certificates the last ones. */
export const OUTAGES: readonly Outage[] = [
  ...STORE_OUTAGES,
  ...CLIENT_OUTAGES,
  ...PROCESS_OUTAGES,
  ...REPLICA_OUTAGES,
  ...MONEY_OUTAGES,
  EVERYTHING_GONE,
  ...IDENTITY_OUTAGES,
];
