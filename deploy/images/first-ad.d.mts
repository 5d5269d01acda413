import type { ProductMessage } from '@placard/local';

/** Where the product is reached that has said that it is ready. */
export declare function reachedAt(message: Extract<ProductMessage, { readonly kind: 'ready' }>): {
  readonly gatewayUrl: string;
  readonly consoleAddress: string;
};
