import { asAdvertiserId, type Clock } from '@placard/service-kit/pure';
import { amountNanos } from '../domain/decimal.js';
import type { Faults } from '../domain/faults.js';
import { planApply, type Change, type StoredCatalog } from '../domain/plan-apply.js';
import type { CatalogFile } from '../domain/read-catalog.js';
import type { Deposit } from '../../accounts/domain/deposit-rules.js';
import type { CatalogStore, CatalogTransaction } from '../store/catalog-store.js';
import { FUNDS_NANOS_MAX, openingReference } from '../../accounts/domain/deposit-rules.js';

/** A file to apply. */
export interface ApplyRequest {
  readonly file: CatalogFile;
  /** Faults that were found when it was read. More are added. */
  readonly faults: Faults;
  readonly isPruning: boolean;
  /** Whether to apply only when the catalog was never changed. */
  readonly isOnlyIfEmpty: boolean;
  /** The caller, for the audit. */
  readonly actor: string;
}

/** The result of an apply. With faults nothing was changed. */
export interface ApplyResult {
  readonly faults: readonly string[];
  readonly notes: readonly string[];
  readonly changes: readonly Change[];
  /** The current version of the catalog. */
  readonly version: number;
}

/**
 * Makes the stored catalog equal to a file for everything that the file names, all or nothing.
 * Contract: docs/contract/operator-interface.md#applying-a-catalog.
 */
export type ApplyCatalog = (request: ApplyRequest) => Promise<ApplyResult>;

const FIRST_VERSION = 1;

/** What {@link ApplyCatalog} needs. */
export interface ApplyCatalogDeps {
  readonly store: Pick<CatalogStore, 'inChange'>;
  readonly clock: Clock;
}

/** Makes {@link ApplyCatalog}. */
export function makeApplyCatalog({ store, clock }: ApplyCatalogDeps): ApplyCatalog {
  return ({ file, faults, isPruning, isOnlyIfEmpty, actor }) =>
    store.inChange(async (transaction) => {
      if (isOnlyIfEmpty && transaction.version > FIRST_VERSION) return unchanged(transaction.version);
      const stored = await readStored(transaction, file, isPruning);
      const plan = planApply(file, stored, faults);
      const openings = openingDeposits(file, plan.changes);
      await refuseTooMuch(transaction, openings, faults);
      if (!faults.isEmpty()) return { ...unchanged(transaction.version), faults: faults.list() };
      if (plan.changes.length === 0) return { ...unchanged(transaction.version), notes: plan.notes };
      const published = await transaction.publish({
        changes: plan.changes,
        deposits: openings.map(({ deposit }) => deposit),
        actor,
        atMs: clock.now(),
      });
      const again = openings.filter(({ deposit }) => !published.deposited.has(deposit.reference));
      return {
        faults: [],
        notes: [
          ...plan.notes,
          ...again.map(({ path }) => `${path}: was credited before and is not credited again`),
        ],
        changes: plan.changes,
        version: published.version,
      };
    });
}

function unchanged(version: number): ApplyResult {
  return { faults: [], notes: [], changes: [], version };
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
    const balance = change.after?.['balance'];
    if (change.action !== 'created' || change.kind !== 'advertiser' || typeof balance !== 'string') return [];
    const nanos = amountNanos(balance);
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
