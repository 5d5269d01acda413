import { loadText, type Pool } from '@placard/service-kit';
import { toColumns } from './columns.js';
import { whileAvailable } from './postgres-errors.js';
import type { HeldMinute, KnownMinute, ReservationStore } from './reservations.js';

const recordReservations = loadText(import.meta.url, './record-reservations.sql');

/** Opens {@link ReservationStore} on Postgres. */
export function openReservationStore(pool: Pool): ReservationStore {
  return {
    record: (minutes) => whileAvailable(() => record(pool, minutes)),
  };
}

async function record(pool: Pool, minutes: readonly HeldMinute[]): Promise<readonly KnownMinute[]> {
  const columns = toColumns(minutes, [
    (held) => held.advertiserId,
    (held) => held.campaignId,
    (held) => held.minute,
    (held) => held.reservedNanos,
    (held) => held.expiresAtMs,
  ]);
  const { rows } = await pool.query<{
    campaign_id: string;
    minute: bigint;
    reported_nanos: bigint;
    known_nanos: bigint;
  }>({ name: 'record-reservations', text: recordReservations, values: [...columns] });
  return rows.map((row) => ({
    campaignId: row.campaign_id,
    minute: Number(row.minute),
    reportedNanos: row.reported_nanos,
    knownNanos: row.known_nanos,
  }));
}
