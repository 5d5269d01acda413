import { loadText } from '@placard/service-kit/files';
import type { Pool, PoolClient } from '@placard/service-kit/postgres';
import {
  dayToIso,
  type AccountId,
  type AdEventType,
  type AdFormat,
  type AdvertiserId,
  type AppId,
  type CampaignId,
  type CreativeId,
  type PlacementCode,
  type PublisherId,
} from '@placard/service-kit/pure';
import type { StoredVerdict } from '../../events/domain/event.js';
import type { AccountKind } from '../../ledger/domain/ledger-entry.js';
import { whileAvailable } from '../../store/postgres-errors.js';
import { inSnapshot } from '../../store/snapshot.js';
import type { StoredBooking, StoredEvent, StoredLease } from '../domain/story.js';
import type { StoryStore } from './stories.js';

const selectEvents = loadText(import.meta.url, './select-story-events.sql');
const selectBooking = loadText(import.meta.url, './select-story-booking.sql');
const selectLease = loadText(import.meta.url, './select-story-lease.sql');
const selectIsDropped = loadText(import.meta.url, './select-is-dropped.sql');

interface EventRow {
  readonly type: AdEventType;
  readonly verdict: StoredVerdict;
  readonly rule: string | null;
  readonly is_test: boolean;
  readonly arrived_at: number;
  readonly settled_at: number | null;
  readonly fill_minute: bigint;
  readonly lease_run: string;
  readonly publisher_id: PublisherId;
  readonly app_id: AppId;
  readonly placement: PlacementCode;
  readonly format: AdFormat;
  readonly country: string | null;
  readonly advertiser_id: AdvertiserId;
  readonly campaign_id: CampaignId;
  readonly creative_id: CreativeId;
  readonly cost_nanos: bigint;
  readonly publisher_nanos: bigint;
  readonly completion: boolean | null;
  readonly traceparent: string | null;
}

interface EntryRow {
  readonly booked_at: number;
  readonly account_kind: AccountKind;
  readonly account_id: AccountId;
  readonly amount_nanos: bigint;
}

/** Opens {@link StoryStore} on Postgres. */
export function openStoryStore(pool: Pool): StoryStore {
  return {
    read: (requestId, day) =>
      whileAvailable(() =>
        inSnapshot(pool, async (client) => {
          const date = dayToIso(day);
          const events = await client.query<EventRow>(selectEvents, [requestId, date]);
          const entries = await client.query<EntryRow>(selectBooking, [requestId]);
          const dropped = await client.query<{ is_dropped: boolean }>(selectIsDropped, [date]);
          return {
            events: events.rows.map(toEvent),
            booking: toBooking(entries.rows),
            lease: await leaseOf(client, events.rows),
            isDropped: dropped.rows[0]?.is_dropped ?? false,
          };
        }),
      ),
  };
}

function toEvent(row: EventRow): StoredEvent {
  return {
    type: row.type,
    verdict: row.verdict,
    rule: row.rule,
    isTest: row.is_test,
    arrivedAtMs: row.arrived_at,
    settledAtMs: row.settled_at,
    publisherId: row.publisher_id,
    appId: row.app_id,
    placement: row.placement,
    format: row.format,
    country: row.country,
    advertiserId: row.advertiser_id,
    campaignId: row.campaign_id,
    creativeId: row.creative_id,
    costNanos: row.cost_nanos,
    publisherNanos: row.publisher_nanos,
    completion: row.completion,
    traceparent: row.traceparent,
  };
}

function toBooking(rows: readonly EntryRow[]): StoredBooking | null {
  const [first] = rows;
  if (first === undefined) return null;
  const entries = rows.map((row) => ({
    kind: row.account_kind,
    id: row.account_id,
    amountNanos: row.amount_nanos,
  }));
  return { bookedAtMs: first.booked_at, entries };
}

/** Only the row of an impression names its lease. */
async function leaseOf(client: PoolClient, events: readonly EventRow[]): Promise<StoredLease | null> {
  const impression = events.find(({ type, is_test: isTest }) => type === 'impression' && !isTest);
  if (impression === undefined) return null;
  const { campaign_id: campaignId, fill_minute: minute, lease_run: run } = impression;
  const { rows } = await client.query<{ expires_at: number; closed_at: number | null }>(selectLease, [
    campaignId,
    minute,
    run,
  ]);
  const [lease] = rows;
  if (lease === undefined) return null;
  return { run, minute: Number(minute), expiresAtMs: lease.expires_at, closedAtMs: lease.closed_at };
}
