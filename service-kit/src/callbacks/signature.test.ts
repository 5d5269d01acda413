import { expect } from 'chai';
import { base64url, compactVerify, createLocalJWKSet } from 'jose';
import { makeSigningKey, publicJwkOf, signBody } from './signature.js';

describe('the signature of a callback', () => {
  const body = '{"id":"ntc_1"}';

  it('is verified with the public key, the body, and the id and time in its header', async () => {
    const key = await makeSigningKey('key_1');
    const [header, , signature] = (await signBody(key, body, { id: 'ntc_1', atMs: 1_700_000_000_900 })).split(
      '.',
    );
    const verified = await compactVerify(
      `${header ?? ''}.${base64url.encode(body)}.${signature ?? ''}`,
      createLocalJWKSet({ keys: [publicJwkOf(key)] }),
    );
    expect(verified.protectedHeader).to.deep.equal({
      alg: 'EdDSA',
      kid: 'key_1',
      jti: 'ntc_1',
      iat: 1_700_000_000,
    });
  });

  it('does not fit another body', async () => {
    const key = await makeSigningKey('key_1');
    const [header, , signature] = (await signBody(key, body, { id: 'ntc_1', atMs: 0 })).split('.');
    const forged = `${header ?? ''}.${base64url.encode('{"id":"ntc_2"}')}.${signature ?? ''}`;
    const failure = await compactVerify(forged, createLocalJWKSet({ keys: [publicJwkOf(key)] })).then(
      () => null,
      (error: unknown) => error,
    );
    expect(failure).to.have.property('code', 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED');
  });

  it('has a public key without the private part', async () => {
    expect(publicJwkOf(await makeSigningKey('key_1'))).to.have.all.keys(
      'kty',
      'crv',
      'x',
      'kid',
      'alg',
      'use',
    );
  });
});
