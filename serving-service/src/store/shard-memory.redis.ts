import { loadScript, type RedisClient } from '@placard/service-kit';
import { HOUR_MS } from '@placard/service-kit/pure';
import { memoryKeys } from './budget-keys.js';
import { QUIET_MS, type Generation, type OpenShard } from './budget-store.js';

const beatScript = loadScript(import.meta.url, './budget-beat.lua');
const renewScript = loadScript(import.meta.url, './budget-renew.lua');

/** Signs outlive any stall of their replica. */
const SIGNS_LIFE_MS = HOUR_MS;
/**
 * For how long a sign of life vouches for a shard: a replica that starts later finds nobody who would have noticed a loss.
 * Signs come each second.
 */
const VOUCHED_MS = 3_000;
/** More signs than there can be: the shard is not to be used yet. */
const NOT_OPENED = Number.MAX_SAFE_INTEGER;

interface Known {
  signs: number;
  generation: number;
  /** The generation of which it is known that no other replica ran when it began; null: none. */
  aloneIn: number | null;
}

/** How a loss is dealt with. */
export interface MemoryOptions {
  /** Told when a shard is opened anew that this replica knew in an earlier generation. */
  readonly onLost?: (shard: number) => void;
  /** How long the other replicas have to report their last fills, ms; default {@link QUIET_MS}. */
  readonly quietMs?: () => number;
}

/**
 * What this replica has seen in each shard. Every step that reserves leaves a sign and finds at least the signs it knows:
 * a shard with fewer was flushed, restarted or taken over from an older copy, and is not used before it is opened again.
 */
export class ShardMemories {
  readonly #redis: RedisClient;
  readonly #replicaId: string;
  readonly #options: MemoryOptions;
  readonly #known = new Map<number, Known>();

  constructor(redis: RedisClient, replicaId: string, options: MemoryOptions) {
    this.#redis = redis;
    this.#replicaId = replicaId;
    this.#options = options;
  }

  /** Keys and arguments with which a step checks the shard. */
  checkOf(shard: number): { readonly keys: readonly string[]; readonly args: readonly number[] } {
    const { generation, signs } = memoryKeys(shard, this.#replicaId);
    const known = this.#known.get(shard);
    return {
      keys: [generation, signs],
      args: [known?.signs ?? NOT_OPENED, known?.generation ?? 0, SIGNS_LIFE_MS],
    };
  }

  /** Notes what a step has found. Answers that come in another order than they were made take nothing away. */
  note(shard: number, generation: number, signs: number): void {
    const known = this.#known.get(shard);
    if (known === undefined) return;
    known.signs = Math.max(known.signs, signs);
    known.generation = Math.max(known.generation, generation);
  }

  /** Leaves a sign in every shard that is used; answers those that have lost their memory. */
  async beat(): Promise<readonly number[]> {
    const shards = [...this.#known.keys()];
    const answers = await Promise.all(shards.map((shard) => this.#beatIn(shard, false)));
    return shards.filter((_, at) => answers[at] === null);
  }

  /** Makes the shard usable, with a new generation where that is needed. */
  async open(shard: number): Promise<OpenShard> {
    const opened = await this.#beatIn(shard, true);
    if (opened === null) throw new Error(`shard ${shard} cannot be opened`);
    return opened;
  }

  /** Makes every counter of the generation unknown, unless another has begun. */
  async renew(shard: number, generation: Generation): Promise<void> {
    await renewScript.run(this.#redis, [memoryKeys(shard, this.#replicaId).generation], [generation]);
  }

  async #beatIn(shard: number, mayRenew: boolean): Promise<OpenShard | null> {
    const { generation, signs, last, loss } = memoryKeys(shard, this.#replicaId);
    const known = this.#known.get(shard);
    const args = [known?.signs ?? '', known?.generation ?? 0, mayRenew ? '1' : '0'];
    args.push(SIGNS_LIFE_MS, VOUCHED_MS, this.#options.quietMs?.() ?? QUIET_MS);
    const answer = (await beatScript.run(this.#redis, [generation, signs, last, loss], args)) as (
      string | number
    )[];
    const [isUsable, found, count, isAlone, quietMs] = answer.map(Number) as [
      number,
      number,
      number,
      number,
      number,
    ];
    if (isUsable === 0) return null;
    const aloneIn = isAlone === 1 ? found : (known?.aloneIn ?? null);
    if (mayRenew && known !== undefined && found > known.generation) this.#options.onLost?.(shard);
    // Not the greater: what was known before the loss must not count on.
    if (mayRenew) this.#known.set(shard, { signs: count, generation: found, aloneIn });
    else this.note(shard, found, count);
    return { generation: String(found), isAlone: aloneIn === found, quietMs };
  }
}
