/**
 * Tables that grow with traffic. A migration must not scan or rewrite one while it locks it. Put a new table here when
 * requests, impressions or bookings add rows to it.
 */
export const LARGE_TABLES: ReadonlySet<string> = new Set([
  'audit.changes',
  'budget.campaign_day',
  'budget.lease',
  'catalog.objects',
  'events.accepted_reward',
  'events.event',
  'events.fills',
  'fraud.suspicious_events',
  'ledger.account_day',
  'ledger.entry',
  'ledger.transaction',
  'rewards.callback',
  'stats.campaign_day',
  'stats.event_hour',
  'stats.explained_request',
  'stats.fallback_country_hour',
  'stats.fallback_hour',
  'stats.fill_hour',
  'stats.integration_error_hour',
  'stats.loss_hour',
  'stats.rejection_hour',
  'stats.request_hour',
  'stats.request_version_hour',
]);

/** Migrations that break a rule for a reason, and the reason. A new one needs the agreement of a second person. */
export const GRANDFATHERED: ReadonlyMap<string, string> = new Map([
  [
    'events-service/migrations/006_index_ledger_days.sql',
    'of 0.1.0: it is applied wherever the ledger is large',
  ],
  [
    'events-service/migrations/009_create_budget.sql',
    'carries the open money of 0.1.0 to the leases: no reported fill may come in between',
  ],
]);
