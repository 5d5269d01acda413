/**
 * Tables that grow with traffic, or for ever. A migration must not scan or rewrite one while it locks it. Requests,
 * impressions, suspicious events, bookings or changes add rows to it.
 */
export const LARGE_TABLES: ReadonlySet<string> = new Set([
  'audit.access',
  'audit.changes',
  'budget.campaign_day',
  'budget.lease',
  'catalog.objects',
  'events.accepted_reward',
  'events.event',
  'events.fills',
  'events.reports_applied',
  'fraud.suspicious_events',
  'fraud.suspicious_hour',
  'fraud.suspicious_session_hour',
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

/**
 * All other tables. They grow with the number of people, campaigns, accounts, months or days, or keep their rows for a short
 * time. A migration may scan or rewrite one.
 */
export const SMALL_TABLES: ReadonlySet<string> = new Set([
  'access.keys',
  'access.login_attempts',
  'access.recovery_codes',
  'access.sessions',
  'access.users',
  'accounts.adjustments',
  'accounts.currency',
  'accounts.deposits',
  'accounts.transfers',
  'budget.advertiser',
  'budget.campaign',
  'budget.replica',
  'catalog.counter',
  'events.accepted_day',
  'events.dropped_day',
  'health.concern',
  'health.notice',
  'health.signing_key',
  'health.webhook',
  'ledger.account',
  'ledger.closed_month',
  'ledger.statement',
  'manage.requests',
  'stats.traffic_curve',
  'stats.traffic_half_hour',
  'stats.traffic_learned',
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
