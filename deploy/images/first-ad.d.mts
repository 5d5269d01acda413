import type { ProductMessage } from '@placard/local';

/** The addresses of a product from its `ready` message. */
export declare function reachedAt(message: Extract<ProductMessage, { readonly kind: 'ready' }>): {
  readonly gatewayUrl: string;
  readonly consoleAddress: string;
};
