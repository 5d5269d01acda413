export type { HeapsMiB } from './layout.js';
export { startProduct, type Product, type ProductOptions } from './product.js';
export type { ProductAddresses, ProductMessage } from './product-channel.js';
export type { Ports, ReplicaPorts, Routes, ServiceName } from './services.js';
export { listenForStop } from './stop-request.js';
export type { Topology } from './topology.js';
