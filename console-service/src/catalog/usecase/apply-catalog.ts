import { appError } from '@placard/service-kit';
import { asAdvertiserId, type Clock } from '@placard/service-kit/pure';
import { unconfirmed, type Unconfirmed } from '../domain/change/removals.js';
import { openingNanos } from '../domain/change/opening.js';
import type { Faults } from '../domain/faults.js';
import { planApply, type Change, type StoredCatalog } from '../domain/plan-apply.js';
import type { CatalogFile } from '../domain/read-catalog.js';
import type { ObjectChange } from '../../history/domain/object-change.js';
import type { Deposit } from '../../accounts/domain/deposit-rules.js';
import type { CatalogStore, CatalogTransaction } from '../store/catalog-store.js';
import { FUNDS_NANOS_MAX, openingReference } from '../../accounts/domain/deposit-rules.js';
import type { CheckCallbacks } from './check-callbacks.js';
import { warnOfApply } from './warn-of-apply.js';

/** A file to apply. */
export interface ApplyRequest {
  readonly file: CatalogFile;
  /** Faults that were found when it was read. More are added. */
  readonly faults: Faults;
  readonly isPruning: boolean;
  /** Whether to apply only when the catalog was never changed. */
  readonly isOnlyIfEmpty: boolean;
  /** Whether only to show what would change. */
  readonly isDryRun: boolean;
  /** Whether the operator has confirmed the removals. */
  readonly isConfirmed: boolean;
  /** Whether the caller may move money. Otherwise a file with an opening balance that it would credit is refused. */
  readonly isMoneyAllowed: boolean;
  /** Apply only when no object has changed since this version. Null: whatever has changed. */
  readonly ifVersion: number | null;
  /** The caller, for the audit. */
  readonly actor: string;
}

/** Why a file without faults is not applied. */
export type ApplyRefusal =
  /** Objects have changed since the version that the file is based on: oldest first, at most {@link CHANGES_SHOWN_MAX}. */
  | { readonly kind: 'stale'; readonly since: readonly ObjectChange[] }
  /** The removals need a confirmation. */
  | { readonly kind: 'unconfirmed'; readonly removals: Unconfirmed }
  /** The caller may not move money, and the file gives new advertisers opening balances: their paths in the file. */
  | { readonly kind: 'money'; readonly paths: readonly string[] };

/** The result of an apply. With faults or a refusal nothing was changed. */
export interface ApplyResult {
  readonly faults: readonly string[];
  /** Of a dry run: why it would be refused. */
  readonly refusal: ApplyRefusal | null;
  readonly notes: readonly string[];
  /** What can never deliver, or not as written: `path: reason`. */
  readonly warnings: readonly string[];
  /** What was changed. Of a dry run, and of a refused removal: what would be changed. */
  readonly changes: readonly Change[];
  /** The current version of the catalog. */
  readonly version: number;
}

/**
 * Makes the stored catalog equal to a file for everything that the file names, all or nothing. Error: `invalid_argument`
 * (`ifVersion` is above the current version).
 * Contract: docs/contract/operator-interface.md#applying-a-catalog.
 */
export type ApplyCatalog = (request: ApplyRequest) => Promise<ApplyResult>;

/** Most changes that are shown to the owner of a stale file. */
export const CHANGES_SHOWN_MAX = 100;

const FIRST_VERSION = 1;

/** What {@link ApplyCatalog} needs. */
export interface ApplyCatalogDeps {
  readonly store: Pick<CatalogStore, 'inChange'>;
  readonly checkCallbacks: CheckCallbacks;
  readonly clock: Clock;
}

/** Makes {@link ApplyCatalog}. */
export function makeApplyCatalog({ store, checkCallbacks, clock }: ApplyCatalogDeps): ApplyCatalog {
  return async (request) => {
    await checkCallbacks(request.file.objects, request.faults);
    return store.inChange((transaction) => applyInChange(transaction, request, clock.now()));
  };
}

/**
 * {@link ApplyCatalog} within a change that has begun, for a use case that reads under the same lock what it depends on.
 * `nowMs`: epoch ms.
 */
export async function applyInChange(
  transaction: CatalogTransaction,
  request: ApplyRequest,
  nowMs: number,
): Promise<ApplyResult> {
  const { file, faults, isDryRun, isPruning } = request;
  const result = unchanged(transaction.version);
  if (request.isOnlyIfEmpty && transaction.version > FIRST_VERSION) return result;
  const refusal = await refuseStale(transaction, request.ifVersion);
  if (refusal !== null) return { ...result, refusal };
  const stored = await readStored(transaction, file, isPruning);
  const plan = planApply(file, stored, faults);
  const openings = openingDeposits(file, plan.changes);
  await refuseTooMuch(transaction, openings, faults);
  if (!faults.isEmpty()) return { ...result, faults: faults.list() };
  if (openings.length > 0 && !request.isMoneyAllowed)
    return { ...result, refusal: { kind: 'money', paths: openings.map(({ path }) => path) } };
  const warnings = await warnOfApply(transaction, { file, stored, plan, nowMs });
  const planned = { ...result, ...plan, warnings, refusal: refuseUnconfirmed(request, plan.changes) };
  if (isDryRun || planned.refusal !== null || plan.changes.length === 0) return planned;
  const published = await transaction.publish({
    changes: plan.changes,
    deposits: openings.map(({ deposit }) => deposit),
    actor: request.actor,
    atMs: nowMs,
  });
  const again = openings.filter(({ deposit }) => !published.deposited.has(deposit.reference));
  return {
    ...planned,
    notes: [
      ...plan.notes,
      ...again.map(({ path }) => `${path}: was credited before and is not credited again`),
    ],
    version: published.version,
  };
}

function unchanged(version: number): ApplyResult {
  return { faults: [], refusal: null, notes: [], warnings: [], changes: [], version };
}

async function refuseStale(
  { version, history }: CatalogTransaction,
  ifVersion: number | null,
): Promise<ApplyRefusal | null> {
  if (ifVersion === null) return null;
  if (ifVersion > version)
    throw appError(
      'invalid_argument',
      `There is no version ${ifVersion}: the catalog has version ${version}.`,
    );
  const since = await history.since(ifVersion, CHANGES_SHOWN_MAX);
  return since.length === 0 ? null : { kind: 'stale', since };
}

function refuseUnconfirmed(
  { file, isConfirmed }: ApplyRequest,
  changes: readonly Change[],
): ApplyRefusal | null {
  const removed = changes.filter(({ action }) => action === 'removed');
  const removals = isConfirmed ? null : unconfirmed(removed, file);
  return removals === null ? null : { kind: 'unconfirmed', removals };
}

async function readStored(
  transaction: CatalogTransaction,
  file: CatalogFile,
  isPruning: boolean,
): Promise<StoredCatalog> {
  if (isPruning) return { objects: await transaction.readAll(), isPruning };
  const appKeys = file.objects.flatMap((object) => {
    const key = object.given.get('app_key');
    return typeof key === 'string' ? [key] : [];
  });
  return { objects: await transaction.readNamed(file.objects, appKeys), isPruning };
}

interface Opening {
  readonly deposit: Deposit;
  readonly path: string;
}

/** The opening balances of new advertisers. */
function openingDeposits(file: CatalogFile, changes: readonly Change[]): Opening[] {
  const paths = new Map(
    file.objects.flatMap((object) =>
      object.kind === 'advertiser' ? [[object.id, object.path] as const] : [],
    ),
  );
  return changes.flatMap((change) => {
    const nanos = openingNanos(change);
    if (nanos === 0n) return [];
    const advertiserId = asAdvertiserId(change.id);
    const deposit = { reference: openingReference(advertiserId), advertiserId, amountNanos: nanos };
    return [{ deposit, path: `${paths.get(change.id) ?? change.id}.balance` }];
  });
}

async function refuseTooMuch(
  transaction: CatalogTransaction,
  openings: readonly Opening[],
  faults: Faults,
): Promise<void> {
  if (openings.length === 0) return;
  let total = await transaction.readFundsTotal();
  for (const { deposit, path } of openings) {
    total += deposit.amountNanos;
    if (total > FUNDS_NANOS_MAX) {
      faults.add(path, 'all deposits and adjustments together would be more than the books can hold');
      return;
    }
  }
}
