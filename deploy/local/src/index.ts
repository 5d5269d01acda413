export { startProduct, type Product, type ProductOptions } from './product.js';
export type { Ports, Routes } from './services.js';
export { listenForStop } from './stop-request.js';
