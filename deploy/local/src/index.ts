export { startProduct, type Product, type ProductOptions } from './product.js';
