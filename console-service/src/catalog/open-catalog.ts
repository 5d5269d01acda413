import type { Scope } from '@placard/service-kit';
import { keepRunning } from '@placard/service-kit/background';
import type { Pool } from '@placard/service-kit/postgres';
import { findCallbackTarget, type PostCallbackOptions } from '@placard/service-kit/callbacks';
import { Gauge } from 'prom-client';
import { makePgCatalogStore } from './store/catalog-store.pg.js';
import type { CatalogStore, ChangeSignal } from './store/catalog-store.js';
import { openPgChangeSignal } from './store/change-signal.pg.js';
import { makeApplyCatalog, type ApplyCatalog } from './usecase/apply-catalog.js';
import { makeCheckCallbacks, type CheckCallbacks } from './usecase/check-callbacks.js';
import { CatalogFeed } from './usecase/catalog-feed.js';
import { makeExportCatalog, type ExportCatalog } from './usecase/export-catalog.js';
import { makeSetCampaignStatus, type SetCampaignStatus } from './usecase/set-campaign-status.js';
import { makeShowObject, type ShowObject } from './usecase/show-object.js';
import { makeReadHistory, type ReadHistory } from '../history/usecase/read-history.js';
import { makeRevertVersion, type RevertVersion } from '../history/usecase/revert-version.js';

/** Longest time until a change with a lost signal is read: half of the two seconds in which it must reach every reader. */
const POLL_MS = 1_000;

/** The catalog's feed and the operators' use cases. */
export interface OpenCatalog {
  readonly store: CatalogStore;
  readonly feed: CatalogFeed;
  readonly checkCallbacks: CheckCallbacks;
  readonly applyCatalog: ApplyCatalog;
  readonly exportCatalog: ExportCatalog;
  readonly showObject: ShowObject;
  readonly setCampaignStatus: SetCampaignStatus;
  readonly readHistory: ReadHistory;
  readonly revertVersion: RevertVersion;
}

/** Opens the catalog and keeps its feed fresh until the scope closes. `callbacks`: which addresses callbacks may have. */
export function openCatalog(scope: Scope, pool: Pool, callbacks: PostCallbackOptions = {}): OpenCatalog {
  const { clock } = scope;
  const store = makePgCatalogStore(pool);
  const feed = new CatalogFeed(store);
  const checkCallbacks = makeCheckCallbacks({
    reads: store.reads,
    findTarget: (url) => findCallbackTarget(url, callbacks.resolve, callbacks.isAddressAllowed),
  });
  keepFresh(scope, feed, openPgChangeSignal(scope, pool));
  return {
    store,
    feed,
    checkCallbacks,
    applyCatalog: makeApplyCatalog({ store, checkCallbacks, clock }),
    exportCatalog: makeExportCatalog(store),
    showObject: makeShowObject(store),
    setCampaignStatus: makeSetCampaignStatus({ store, clock }),
    readHistory: makeReadHistory(store.history),
    revertVersion: makeRevertVersion({ store, checkCallbacks, clock }),
  };
}

/** Refreshes the feed on every signal, and at an interval as well. */
function keepFresh(scope: Scope, feed: CatalogFeed, signal: ChangeSignal): void {
  const health = scope.health.register('catalog');
  const refresh = async (): Promise<void> => {
    await feed.refresh();
    if (feed.version > 0) health.set(true);
  };
  new Gauge({
    name: 'placard_catalog_version',
    help: 'Version of the last catalog change that this process holds',
    registers: [scope.metrics],
    collect() {
      this.set(feed.version);
    },
  });
  const reading = keepRunning(scope, {
    name: 'reading catalog changes',
    intervalMs: POLL_MS,
    run: refresh,
    isRunAtStart: true,
  });
  signal.onChange(() => reading.runNow());
}
