import { CatalogServiceService } from '@placard/protos/catalog/v1/catalog.js';
import { implementService, type ImplementedService } from '@placard/service-kit/grpc';
import type { CatalogFeed } from '../usecase/catalog-feed.js';
import { watchCatalog } from './watch-handler.js';

/** CatalogService, for the processes that hold the catalog in memory. */
export function implementCatalogService(feed: CatalogFeed): ImplementedService {
  return implementService(CatalogServiceService, {
    watch: (request, stream) => watchCatalog(feed, request, stream),
  });
}
