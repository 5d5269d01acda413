import type { OperationId } from '../../src/manage/domain/operations.js';

/** The kinds of roles that may call an operation, written without a look at the document. */
const EVERYONE = ['admin', 'adops', 'finance', 'readonly', 'publisher', 'advertiser'];
const READERS = ['admin', 'adops', 'finance', 'readonly'];
const OF_PUBLISHERS = [...READERS, 'publisher'];
const OF_ADVERTISERS = [...READERS, 'advertiser'];
const EDITORS = ['admin', 'adops'];
const PAYERS = ['admin', 'finance'];
const ADMIN = ['admin'];
const DELIVERY = ['admin', 'adops', 'readonly'];

/** What is expected of an operation. */
export interface ExpectedAccess {
  readonly roles: readonly string[];
  /** What the audit records of a success, without regard to the order. */
  readonly audited: readonly string[];
}

const reads = (roles: readonly string[]): ExpectedAccess => ({ roles, audited: [] });
const writes = (roles: readonly string[], ...audited: readonly string[]): ExpectedAccess => ({
  roles,
  audited,
});

/** Who may send an opening balance with an operation of the catalog, which books money. */
export const WITH_OPENING_BALANCE: Partial<Readonly<Record<OperationId, ExpectedAccess>>> = {
  applyCatalog: writes(ADMIN, 'created', 'deposited'),
  createAdvertiser: writes(ADMIN, 'created', 'deposited'),
};

/** Who may call what, and what of it is audited. Contract: docs/access.md. */
export const EXPECTED_ACCESS: Readonly<Record<OperationId, ExpectedAccess>> = {
  // Money: only admin and finance move any.
  depositFunds: writes(PAYERS, 'deposited'),
  refundAdvertiser: writes(PAYERS, 'refunded'),
  payPublisher: writes(PAYERS, 'paid_out'),
  adjustAccount: writes(PAYERS, 'adjusted'),
  closeMonth: writes(PAYERS, 'closed'),
  listStatements: reads(['admin', 'finance', 'readonly']),
  getStatement: reads(['admin', 'finance', 'readonly', 'publisher', 'advertiser']),
  listBalances: reads(READERS),
  verifyBooks: reads(READERS),
  verifyBookRows: reads(READERS),

  // People and keys: admin alone.
  readAudit: reads(ADMIN),
  listKeys: reads(ADMIN),
  createKey: writes(ADMIN, 'key_created'),
  revokeKey: writes(ADMIN, 'key_revoked'),
  listUsers: reads(ADMIN),
  createUser: writes(ADMIN, 'user_created'),
  removeUser: writes(ADMIN, 'user_removed'),
  setUserPassword: writes(ADMIN, 'password_set'),
  removeUserTotp: writes(ADMIN, 'totp_removed'),

  // The caller itself. A key has neither password nor second factor.
  beginSession: reads([]),
  endSession: writes(EVERYONE, 'session_ended'),
  getActor: reads(EVERYONE),
  setOwnPassword: reads(EVERYONE),
  beginTotp: reads(EVERYONE),
  confirmTotp: reads(EVERYONE),

  // The catalog.
  applyCatalog: writes(EDITORS, 'updated'),
  revertCatalog: writes(EDITORS, 'updated'),
  validateCatalog: reads(READERS),
  exportCatalog: reads(READERS),
  showCatalogObject: reads(READERS),
  readCatalogHistory: reads(READERS),
  pauseCampaign: writes(EDITORS, 'updated'),
  resumeCampaign: writes(EDITORS, 'updated'),
  endCampaign: writes(EDITORS, 'updated'),
  getGlobal: reads(READERS),
  changeGlobal: writes(EDITORS, 'updated'),
  listPublishers: reads(OF_PUBLISHERS),
  getPublisher: reads(OF_PUBLISHERS),
  createPublisher: writes(EDITORS, 'created'),
  changePublisher: writes(EDITORS, 'updated'),
  removePublisher: writes(EDITORS, 'removed'),
  listApps: reads(OF_PUBLISHERS),
  getApp: reads(OF_PUBLISHERS),
  createApp: writes(EDITORS, 'created'),
  changeApp: writes(EDITORS, 'updated'),
  removeApp: writes(EDITORS, 'removed'),
  listPlacements: reads(OF_PUBLISHERS),
  getPlacement: reads(OF_PUBLISHERS),
  createPlacement: writes(EDITORS, 'created'),
  changePlacement: writes(EDITORS, 'updated'),
  removePlacement: writes(EDITORS, 'removed'),
  listAdvertisers: reads(OF_ADVERTISERS),
  getAdvertiser: reads(OF_ADVERTISERS),
  createAdvertiser: writes(EDITORS, 'created'),
  changeAdvertiser: writes(EDITORS, 'updated'),
  removeAdvertiser: writes(EDITORS, 'removed'),
  listCampaigns: reads(OF_ADVERTISERS),
  getCampaign: reads(OF_ADVERTISERS),
  createCampaign: writes(EDITORS, 'created'),
  changeCampaign: writes(EDITORS, 'updated'),
  removeCampaign: writes(EDITORS, 'removed'),
  listCreatives: reads(OF_ADVERTISERS),
  getCreative: reads(OF_ADVERTISERS),
  createCreative: writes(EDITORS, 'created'),
  changeCreative: writes(EDITORS, 'updated'),
  removeCreative: writes(EDITORS, 'removed'),

  // Reports, explanations, delivery.
  getReport: reads(EVERYONE),
  listSuspiciousEvents: reads(DELIVERY),
  explainCampaign: reads(DELIVERY),
  explainRequest: reads(DELIVERY),
  tryRequest: reads(DELIVERY),
  traceRequest: reads(READERS),
  forecastCampaign: reads(DELIVERY),
  getHealth: reads(READERS),
  listWebhooks: reads(EDITORS),
  createWebhook: writes(ADMIN, 'webhook_created'),
  removeWebhook: writes(ADMIN, 'webhook_removed'),
  listWebhookKeys: reads(DELIVERY),
  listRewards: reads([...DELIVERY, 'publisher']),
  replayReward: writes([...EDITORS, 'publisher'], 'reward_replayed'),
};
