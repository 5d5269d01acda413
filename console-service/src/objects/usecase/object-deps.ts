import type { Clock } from '@placard/service-kit/pure';
import type { CatalogStore } from '../../catalog/store/catalog-store.js';

/** What the use cases need that write one object. */
export interface ObjectWriteDeps {
  readonly store: Pick<CatalogStore, 'inChange'>;
  readonly clock: Clock;
}
