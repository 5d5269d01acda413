import { findCallbackTarget } from '@placard/service-kit/callbacks';
import type { Pool } from '@placard/service-kit/postgres';
import { makeTestClock, type TestClock } from '@placard/service-kit/testing';
import { openTestDatabase } from '@placard/service-kit/testing/stores';
import { fileURLToPath } from 'node:url';
import { readHere } from '../../src/catalog/file/read-here.js';
import type { CatalogStore } from '../../src/catalog/store/catalog-store.js';
import { makePgCatalogStore } from '../../src/catalog/store/catalog-store.pg.js';
import {
  makeApplyCatalog,
  type ApplyRequest,
  type ApplyResult,
} from '../../src/catalog/usecase/apply-catalog.js';
import { makeCheckCallbacks, type CheckCallbacks } from '../../src/catalog/usecase/check-callbacks.js';

/** Hosts that are known, and where they are. */
const ADDRESSES: Readonly<Record<string, string>> = {
  'game.example.com': '93.184.216.34',
  'other.example.com': '93.184.216.35',
  'intranet.example.com': '10.0.0.1',
};

/** A resolver of the hosts that tests name. */
export const resolveTestHost = (host: string): Promise<readonly string[]> =>
  Promise.resolve(ADDRESSES[host] === undefined ? [] : [ADDRESSES[host]]);

const MIGRATIONS = { schema: 'catalog', dir: fileURLToPath(new URL('../../migrations', import.meta.url)) };

/** A catalog in a database of its own, without a service. */
export interface TestCatalog {
  readonly pool: Pool;
  readonly store: CatalogStore;
  readonly clock: TestClock;
  readonly checkCallbacks: CheckCallbacks;
  /** Applies a file, as `anna` unless another actor is named. */
  apply(text: string, options?: Partial<ApplyRequest>): Promise<ApplyResult>;
  close(): Promise<void>;
}

/** Opens an empty catalog. Its clock begins at 2026-05-01T12:00:00Z. */
export async function openTestCatalog(): Promise<TestCatalog> {
  const database = await openTestDatabase({ migrations: [MIGRATIONS] });
  const store = makePgCatalogStore(database.pool);
  const clock = makeTestClock(Date.UTC(2026, 4, 1, 12));
  const checkCallbacks = makeCheckCallbacks({
    reads: store.reads,
    findTarget: (url) => findCallbackTarget(url, resolveTestHost),
  });
  const applyCatalog = makeApplyCatalog({ store, checkCallbacks, clock });
  return {
    pool: database.pool,
    store,
    clock,
    checkCallbacks,
    apply(text, options = {}) {
      const { file, faults } = readHere(text);
      return applyCatalog({
        file: file!,
        faults,
        isPruning: false,
        isOnlyIfEmpty: false,
        isDryRun: false,
        isConfirmed: false,
        isMoneyAllowed: true,
        ifVersion: null,
        actor: 'anna',
        ...options,
      });
    },
    close: () => database.drop(),
  };
}
