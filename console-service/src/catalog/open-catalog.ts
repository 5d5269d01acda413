import type { Scope } from '@placard/service-kit';
import { Gauge } from 'prom-client';
import type { ChangeSignal } from './store/catalog-store.js';
import type { CatalogFeed } from './usecase/catalog-feed.js';

/** How soon a change is noticed whose signal was lost: half of the two seconds that it may take to every reader. */
const POLL_MS = 1_000;

/** Refreshes the feed on every signal, and on its own as well, until the scope closes. */
export function keepFeedFresh(scope: Scope, feed: CatalogFeed, signal: ChangeSignal): void {
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
  let running = refresh();
  signal.onChange(() => void refresh());
  const timer = setInterval(() => {
    running = refresh();
  }, POLL_MS);
  scope.onClose('catalog feed', async () => {
    clearInterval(timer);
    await running;
  });
}
