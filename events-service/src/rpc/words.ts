import { AccountKind, EventVerdict, FallbackReason, ReportKey } from '@placard/protos/events/v1/events.js';
import { appError } from '@placard/service-kit';
import type { EventVerdict as DomainVerdict } from '../domain/event.js';
import type { FallbackReason as DomainReason } from '../domain/fallback.js';
import type { ReportKey as DomainKey } from '../domain/report.js';
import type { AccountKind as DomainKind } from '../domain/settlement.js';

/** Verdicts as the wire has them. */
export const WIRE_VERDICTS: Readonly<Record<DomainVerdict, EventVerdict>> = {
  accepted: EventVerdict.ACCEPTED,
  duplicate: EventVerdict.DUPLICATE,
  invalid_token: EventVerdict.INVALID_TOKEN,
  expired_token: EventVerdict.EXPIRED_TOKEN,
  request_mismatch: EventVerdict.REQUEST_MISMATCH,
  no_impression: EventVerdict.NO_IMPRESSION,
  suspicious: EventVerdict.SUSPICIOUS,
};

/** Kinds of accounts as the wire has them. */
export const WIRE_ACCOUNT_KINDS: Readonly<Record<DomainKind, AccountKind>> = {
  advertiser: AccountKind.ADVERTISER,
  publisher: AccountKind.PUBLISHER,
  platform: AccountKind.PLATFORM,
  deposits: AccountKind.DEPOSITS,
};

/** Of a line that has no account on the other side. */
export const UNSPECIFIED_ACCOUNT_KIND = AccountKind.UNSPECIFIED;

const REASONS: ReadonlyMap<FallbackReason, DomainReason> = new Map<FallbackReason, DomainReason>([
  [FallbackReason.NO_FILL, 'no_fill'],
  [FallbackReason.TIMEOUT, 'timeout'],
  [FallbackReason.ERROR, 'error'],
  [FallbackReason.CREATIVE_FAILED, 'creative_failed'],
]);

const KEYS: ReadonlyMap<ReportKey, DomainKey> = new Map<ReportKey, DomainKey>([
  [ReportKey.HOUR, 'hour'],
  [ReportKey.DAY, 'day'],
  [ReportKey.PUBLISHER, 'publisher'],
  [ReportKey.APP, 'app'],
  [ReportKey.PLACEMENT, 'placement'],
  [ReportKey.FORMAT, 'format'],
  [ReportKey.COUNTRY, 'country'],
  [ReportKey.ADVERTISER, 'advertiser'],
  [ReportKey.CAMPAIGN, 'campaign'],
  [ReportKey.CREATIVE, 'creative'],
]);

/** Error `invalid_argument` for what this release does not know. */
export function fromWireReason(reason: FallbackReason): DomainReason {
  const known = REASONS.get(reason);
  if (known === undefined) throw appError('invalid_argument', 'The fallback reason is missing or unknown.');
  return known;
}

/** Error `invalid_argument` for what this release does not know. */
export function fromWireKey(key: ReportKey): DomainKey {
  const known = KEYS.get(key);
  if (known === undefined) throw appError('invalid_argument', 'A report key is unknown.');
  return known;
}

/** Error `invalid_argument` for what this release does not know. */
export function fromWireAccountKind(kind: AccountKind): DomainKind {
  for (const known of ['advertiser', 'publisher', 'platform', 'deposits'] as const)
    if (WIRE_ACCOUNT_KINDS[known] === kind) return known;
  throw appError('invalid_argument', 'The kind of account is missing or unknown.');
}

/** Whose accounts are adjusted. Error `invalid_argument` for any other. */
export function fromWireOwner(kind: AccountKind): 'advertiser' | 'publisher' {
  const known = fromWireAccountKind(kind);
  if (known === 'advertiser' || known === 'publisher') return known;
  throw appError('invalid_argument', 'Only accounts of advertisers and publishers are adjusted.');
}
