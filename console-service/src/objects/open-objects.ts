import type { Scope } from '@placard/service-kit';
import type { Pool } from '@placard/service-kit/postgres';
import type { OpenCatalog } from '../catalog/open-catalog.js';
import { objectsRoutes } from './routes/objects-routes.js';
import { makePgObjects } from './store/objects.pg.js';
import { makeChangeObject } from './usecase/change-object.js';
import { makeCreateObject } from './usecase/create-object.js';
import { makeGetObject } from './usecase/get-object.js';
import { makeListObjects } from './usecase/list-objects.js';
import { makeRemoveObject } from './usecase/remove-object.js';

/** Opens the operations on single objects of the catalog: their use cases, and the routes. */
export function openObjects(
  { clock }: Pick<Scope, 'clock'>,
  { pool, store, checkCallbacks }: { readonly pool: Pool } & Pick<OpenCatalog, 'store' | 'checkCallbacks'>,
): ReturnType<typeof objectsRoutes> {
  const objects = makePgObjects(pool);
  return objectsRoutes({
    listObjects: makeListObjects(objects),
    getObject: makeGetObject(objects),
    createObject: makeCreateObject({ store, checkCallbacks, clock }),
    changeObject: makeChangeObject({ store, checkCallbacks, clock }),
    removeObject: makeRemoveObject({ store, clock }),
  });
}
