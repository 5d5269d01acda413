import type { AdvertiserId, CampaignId } from '@placard/service-kit/pure';
import { asAdvertiserId, asCampaignId } from '@placard/service-kit/pure';
import type { CampaignMinute } from '../domain/budget.js';

/** Names of the budget counters; all of one advertiser and its campaigns carry one hash tag. */
export interface BudgetKeys {
  readonly due: string;
  readonly generation: string;
  readonly advertiser: string;
  total(id: CampaignId): string;
  day(id: CampaignId, day: number): string;
  minute(id: CampaignId, minute: number): string;
  fates(id: CampaignId, minute: number): string;
}

/** The shard of an advertiser: FNV-1a of its id, so that every replica agrees. */
export function shardOf(advertiserId: AdvertiserId, shards: number): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < advertiserId.length; at += 1) {
    hash = Math.imul(hash ^ advertiserId.charCodeAt(at), 0x01000193);
  }
  return (hash >>> 0) % shards;
}

/** The due minutes of a shard. */
export function dueKey(shard: number): string {
  return `{b${shard}}:due`;
}

function generationKey(shard: number): string {
  return `{b${shard}}:generation`;
}

/**
 * What says whether a shard has kept its memory: its generation, signs of life of one replica and of any, and which generation
 * began with a loss a moment ago.
 */
export function memoryKeys(
  shard: number,
  replicaId: string,
): { readonly generation: string; readonly signs: string; readonly last: string; readonly loss: string } {
  return {
    generation: generationKey(shard),
    signs: `{b${shard}}:signs:${replicaId}`,
    last: `{b${shard}}:last-sign`,
    loss: `{b${shard}}:loss`,
  };
}

/** The keys of an advertiser and its campaigns. */
export function budgetKeys(advertiserId: AdvertiserId, shards: number): BudgetKeys {
  const shard = shardOf(advertiserId, shards);
  const tag = `{b${shard}}`;
  return {
    due: dueKey(shard),
    generation: generationKey(shard),
    advertiser: `${tag}:adv:${advertiserId}`,
    total: (id) => `${tag}:cmp:${id}`,
    day: (id, day) => `${tag}:day:${id}:${day}`,
    minute: (id, minute) => `${tag}:min:${id}:${minute}`,
    fates: (id, minute) => `${tag}:fate:${id}:${minute}`,
  };
}

/** A campaign-minute's name among the due minutes; ids hold no `|`. */
export function toMember(minute: Pick<CampaignMinute, 'advertiserId' | 'campaignId' | 'minute'>): string {
  return `${minute.advertiserId}|${minute.campaignId}|${minute.minute}`;
}

/** The reverse of {@link toMember}. */
export function fromMember(member: string, expiresAtMs: number): CampaignMinute {
  const [advertiserId = '', campaignId = '', minute = ''] = member.split('|');
  return {
    advertiserId: asAdvertiserId(advertiserId),
    campaignId: asCampaignId(campaignId),
    minute: Number(minute),
    expiresAtMs,
  };
}
