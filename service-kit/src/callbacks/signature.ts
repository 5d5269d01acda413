import { CompactSign, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';

const ALGORITHM = 'EdDSA';
const CURVE = 'Ed25519';

/** A key pair that signs callbacks (Ed25519), as JSON Web Keys with their `kid`. */
export interface SigningKey {
  readonly id: string;
  /** With its private part. */
  readonly privateJwk: JWK;
}

/** What a signature of a callback covers besides the body. */
export interface SignedFacts {
  /** The same for every repetition of one callback. */
  readonly id: string;
  /** When this attempt is made, epoch ms. */
  readonly atMs: number;
}

/** The public part of a signing key: an Ed25519 key of RFC 8037. */
export interface PublicJwk {
  readonly kty: string;
  readonly crv: string;
  readonly x: string;
  readonly kid: string;
  readonly alg: string;
  readonly use: string;
}

/** Makes a signing key. */
export async function makeSigningKey(id: string): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { crv: CURVE, extractable: true });
  return { id, privateJwk: { ...(await exportJWK(privateKey)), kid: id, alg: ALGORITHM, use: 'sig' } };
}

/** The public part of a signing key, for receivers. */
export function publicJwkOf({ id, privateJwk: { kty = '', crv = '', x = '' } }: SigningKey): PublicJwk {
  return { kty, crv, x, kid: id, alg: ALGORITHM, use: 'sig' };
}

/**
 * Signs a body: a compact JWS whose payload is left out (RFC 7515, appendix F), as `header..signature`. Its header holds
 * `kid`, the id as `jti` and the time as `iat` in seconds.
 */
export async function signBody(key: SigningKey, body: string, { id, atMs }: SignedFacts): Promise<string> {
  const signer = new CompactSign(new TextEncoder().encode(body)).setProtectedHeader({
    alg: ALGORITHM,
    kid: key.id,
    jti: id,
    iat: Math.floor(atMs / 1_000),
  });
  const jws = await signer.sign(await importJWK(key.privateJwk, ALGORITHM));
  const [header = '', , signature = ''] = jws.split('.');
  return `${header}..${signature}`;
}
