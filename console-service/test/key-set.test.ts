import { makeSigningKey, publicJwkOf, type PublicJwk } from '@placard/service-kit/callbacks';
import { MINUTE_MS } from '@placard/service-kit/pure';
import { makeTestClock, makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { openHttpServer } from '../src/routes/http-server.js';
import { makePublicApp } from '../src/routes/public-app.js';

describe('the public keys of signatures', () => {
  const clock = makeTestClock(Date.UTC(2026, 4, 1));
  let scope: TestScope;
  let origin: string;
  let keys: readonly PublicJwk[] | null = null;
  let reads = 0;
  before(async () => {
    scope = makeTestScope({ clock });
    const publicParts = (): Promise<readonly PublicJwk[]> => {
      reads += 1;
      return keys === null ? Promise.reject(new Error('no database')) : Promise.resolve(keys);
    };
    const app = makePublicApp({ scope, signingKeys: { publicParts } });
    const { port } = await openHttpServer(scope, app, { host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${port}`;
  });
  after(() => scope.close());

  const get = () => fetch(`${origin}/.well-known/jwks.json`);

  it('are not there while they cannot be read, and that is not cached', async () => {
    const answer = await get();
    expect(answer.status).to.equal(503);
    expect(answer.headers.get('cache-control')).to.equal('no-store');
  });

  it('are a key set without private parts, which receivers may keep for five minutes', async () => {
    const key = await makeSigningKey('key_1');
    keys = [publicJwkOf(key)];
    const answer = await get();
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.match(/^application\/jwk-set\+json/);
    expect(answer.headers.get('cache-control')).to.equal('public, max-age=300');
    const set = (await answer.json()) as { readonly keys: readonly Readonly<Record<string, unknown>>[] };
    expect(set).to.deep.equal({ keys });
    expect(Object.keys(set.keys[0] ?? {})).to.have.members(['kty', 'crv', 'x', 'kid', 'alg', 'use']);
  });

  it('are read from the database once a minute, however often they are asked for', async () => {
    await get();
    const before = reads;
    await get();
    expect(reads).to.equal(before);
    clock.advance(MINUTE_MS);
    await get();
    expect(reads).to.equal(before + 1);
  });

  it('stand beside the built-in creatives', async () => {
    const answer = await fetch(`${origin}/creatives/test/banner.png`);
    await answer.arrayBuffer();
    expect(answer.status).to.equal(200);
    expect((await fetch(`${origin}/.well-known/other`)).status).to.equal(404);
  });
});
