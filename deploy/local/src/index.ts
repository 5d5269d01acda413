export type { HeapsMiB } from './layout.js';
export { OPERATOR_KEY, startProduct, type Product, type ProductOptions } from './product.js';
export type { ProductAddresses, ProductMessage } from './product-channel.js';
export { services, type Ports, type ReplicaPorts, type Routes, type ServiceName } from './services.js';
export { listenForStop } from './stop-request.js';
export type { Topology } from './topology.js';
