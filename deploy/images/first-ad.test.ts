import type { ProductMessage } from '@placard/local';
import { expect } from 'chai';
import { reachedAt } from './first-ad.mjs';

describe('the first ad from images', () => {
  it('is requested at the addresses of the ready message', () => {
    const message: Extract<ProductMessage, { readonly kind: 'ready' }> = {
      kind: 'ready',
      addresses: {
        gatewayUrls: ['http://127.0.0.1:8080', 'http://127.0.0.1:8081'],
        consoleAddress: '127.0.0.1:50055',
        redisUrl: 'redis://127.0.0.1:6379',
        databaseUrls: {},
      },
      pids: {},
    };
    expect(reachedAt(message)).to.deep.equal({
      gatewayUrl: 'http://127.0.0.1:8080',
      consoleAddress: '127.0.0.1:50055',
    });
  });
});
