import { messageOf, type Scope } from '@placard/service-kit';
import { makeBoundedMap } from '@placard/service-kit/background';
import { createHmac, hash } from 'node:crypto';
import { networkOf, type Address } from '../../edge/domain/address.js';
import type { LimitDimension, LimitGroup, LimitKey, RateLimits } from '../domain/rate-limits.js';
import type { RateLimitLeases, RetryAfterSeconds } from '../store/rate-limit-leases.js';
import type { Bucket } from '../store/rate-limiter.js';
import type { CountRefusal } from './refusals.js';

/** A bucket in which a request was counted, and the instant of the count. */
export interface Taken {
  readonly dimension: LimitDimension;
  readonly bucket: Bucket;
  readonly atMs: number;
}

/** Accepted: the buckets in which the request was counted. Refused: the wait; the request is counted in no bucket. */
export type Admission = { readonly taken: readonly Taken[] } | { readonly retryAfterSeconds: number };

/** A request that the limit of its network has accepted. */
export interface CountedRequest {
  /** Buckets in which the request is already counted. They are given back if it is refused now. */
  readonly before: readonly Taken[];
  /** For the log. */
  readonly requestId: string;
}

/** Accepts or refuses requests by the rate limits. Contract: docs/contract/rate-limits.md#limits-per-minute. */
export interface Admissions {
  /** Synchronous when the gateway holds a lease for the network. */
  byNetwork(group: LimitGroup, address: Address): Admission | Promise<Admission>;
  byKeys(group: LimitGroup, keys: readonly LimitKey[], request: CountedRequest): Promise<Admission>;
  /** Uncounts a request that was accepted here and refused by a service. It runs in the background. */
  giveBack(taken: readonly Taken[], requestId: string): void;
}

/** Dependencies of the admissions. */
export interface AdmissionDeps {
  readonly leases: RateLimitLeases;
  readonly limits: RateLimits;
  /** Key of the network hash, so that nobody can find an address by hashing all addresses. */
  readonly networkHashKey: string;
  readonly countRefusal: CountRefusal;
}

/** The admission of a request without a limit. */
const UNCOUNTED: Admission = { taken: [] };
/** Kept bytes of a hash: 128 bits. */
const HASH_BYTES = 16;
/** Most texts of a kind in the cache of hashes: some megabytes. */
const HASHES_KNOWN_MAX = 20_000;

/** Makes the admissions: first the network, then all other keys together. */
export function makeAdmissions(scope: Scope, deps: AdmissionDeps): Admissions {
  const { leases, limits, networkHashKey, countRefusal } = deps;
  const hashOfNetwork = remembered((network) => keyedHash(networkHashKey, network));
  // App keys repeat. Each of the other keys belongs to one session or ad.
  const hashOfAppKey = remembered(textHash);
  const bucketOf = (group: LimitGroup, dimension: LimitDimension, hash: string): Bucket | null => {
    const limitPerMinute = limits[group][dimension] ?? 0;
    return limitPerMinute === 0 ? null : { key: `${group}:${dimension}:${hash}`, limitPerMinute };
  };
  const take = (
    group: LimitGroup,
    dimension: LimitDimension,
    hash: string,
  ): Admission | Promise<Admission> => {
    const bucket = bucketOf(group, dimension, hash);
    if (bucket === null) return UNCOUNTED;
    const atMs = scope.clock.now();
    const judged = (wait: RetryAfterSeconds): Admission => {
      if (wait === null) return { taken: [{ dimension, bucket, atMs }] };
      countRefusal(group, dimension);
      return { retryAfterSeconds: wait };
    };
    const wait = leases.take(bucket, atMs);
    return wait instanceof Promise ? wait.then(judged) : judged(wait);
  };
  // Commands of one connection keep their order, so the next request is counted after this one was given back.
  const giveBack = (taken: readonly Taken[], requestId: string): void => {
    for (const { bucket, atMs } of taken) {
      leases.giveBack(bucket, atMs, scope.clock.now()).catch((error: unknown) => {
        scope.log.debug({ requestId, reason: messageOf(error) }, 'a count was not given back');
      });
    }
  };
  const takeKey = (group: LimitGroup, { dimension, value }: LimitKey): Admission | Promise<Admission> =>
    take(group, dimension, dimension === 'app_key' ? hashOfAppKey(value) : textHash(value));
  return {
    byNetwork: (group, address) => take(group, 'network', hashOfNetwork(networkOf(address))),
    async byKeys(group, keys, { before, requestId }) {
      const taken = [...before];
      let waitSeconds = 0;
      const admissions = await Promise.all(keys.map(async (key) => takeKey(group, key)));
      for (const admission of admissions) {
        if ('taken' in admission) taken.push(...admission.taken);
        else waitSeconds = Math.max(waitSeconds, admission.retryAfterSeconds);
      }
      if (waitSeconds === 0) return { taken };
      giveBack(taken, requestId);
      return { retryAfterSeconds: waitSeconds };
    },
    giveBack,
  };
}

/** Caches what a function makes of recent texts. */
function remembered(make: (text: string) => string): (text: string) => string {
  const known = makeBoundedMap<string, string>(HASHES_KNOWN_MAX);
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const made = make(text);
    known.set(text, made);
    return made;
  };
}

function keyedHash(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest().toString('base64url', 0, HASH_BYTES);
}

function textHash(text: string): string {
  return hash('sha256', text, 'buffer').toString('base64url', 0, HASH_BYTES);
}
