import type { Clock } from '@placard/service-kit/pure';
import type { CatalogStore } from '../../catalog/store/catalog-store.js';
import type { CheckCallbacks } from '../../catalog/usecase/check-callbacks.js';

/** What the use case needs that removes an object. */
export interface ObjectRemoveDeps {
  readonly store: Pick<CatalogStore, 'inChange'>;
  readonly clock: Clock;
}

/** What the use cases need that write one object. */
export interface ObjectWriteDeps extends ObjectRemoveDeps {
  readonly checkCallbacks: CheckCallbacks;
}
