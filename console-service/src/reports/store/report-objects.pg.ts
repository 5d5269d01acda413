import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import { runSql } from '../../store/run-sql.js';
import type { BuyerKey } from '../domain/report-rows.js';
import type { ReportObjects } from './report-objects.js';

const readNames = loadText(import.meta.url, './read-names.sql');
const readPlacementCodes = loadText(import.meta.url, './read-placement-codes.sql');
const readBuyers = loadText(import.meta.url, './read-buyers.sql');

interface NameRow {
  readonly kind: string;
  readonly id: string;
  readonly name: string;
}

/** Opens {@link ReportObjects} on Postgres. */
export function makePgReportObjects(pool: Pool): ReportObjects {
  return {
    async namesOf(objects) {
      if (objects.length === 0) return new Map();
      const values = [objects.map(({ kind }) => kind), objects.map(({ id }) => id)];
      const rows = await runSql<NameRow>(pool, readNames, values);
      return new Map(rows.map(({ kind, id, name }) => [`${kind}/${id}`, name]));
    },
    async placementCodes(codes, { publishers, apps }) {
      const rows = await runSql<{ readonly code: string }>(pool, readPlacementCodes, [
        codes,
        publishers,
        apps,
      ]);
      return new Set(rows.map(({ code }) => code));
    },
    buyers: (level, { advertisers, campaigns }) =>
      runSql<Readonly<Record<BuyerKey, string | null>>>(pool, readBuyers, [level, advertisers, campaigns]),
  };
}
