import { AccountKind, type FallbackReason, type ReportKey } from '@placard/protos/events/v1/events.js';
import { appError, fallbackReasonOnWire, reportKeyOnWire } from '@placard/service-kit';
import type { FallbackReason as DomainReason } from '../events/domain/fallback.js';
import type { ReportKey as DomainKey } from '../reports/domain/report.js';
import type { AccountKind as DomainKind } from '../ledger/domain/ledger-entry.js';

/** Kinds of accounts as the wire has them. */
export const WIRE_ACCOUNT_KINDS: Readonly<Record<DomainKind, AccountKind>> = {
  advertiser: AccountKind.ADVERTISER,
  publisher: AccountKind.PUBLISHER,
  platform: AccountKind.PLATFORM,
  deposits: AccountKind.DEPOSITS,
};

/** Of a line that has no account on the other side. */
export const UNSPECIFIED_ACCOUNT_KIND = AccountKind.UNSPECIFIED;

/** Error `invalid_argument` for what this release does not know. */
export function fromWireReason(reason: FallbackReason): DomainReason {
  const known = fallbackReasonOnWire.fromWire(reason);
  if (known === null) throw appError('invalid_argument', 'The fallback reason is missing or unknown.');
  return known;
}

/** Error `invalid_argument` for what this release does not know. */
export function fromWireKey(key: ReportKey): DomainKey {
  const known = reportKeyOnWire.fromWire(key);
  if (known === null) throw appError('invalid_argument', 'A report key is unknown.');
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
