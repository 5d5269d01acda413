export { makeCatalog } from './make-catalog.js';
export type { CatalogObject, ObjectName } from './object.js';
export { openCatalog, type CatalogOptions, type OpenCatalog } from './open-catalog.js';
export { nameToWire, objectToWire } from './wire.js';
