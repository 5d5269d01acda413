import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import { runSql } from '../../store/run-sql.js';
import { ANSWER_KEPT_MS, HOLD_MS, type KnownRequest } from '../domain/repetition.js';
import type { AnswerStore } from './answer-store.js';

const beginSql = loadText(import.meta.url, './begin-request.sql');
const readSql = loadText(import.meta.url, './read-request.sql');
const renewSql = loadText(import.meta.url, './renew-hold.sql');
const finishSql = loadText(import.meta.url, './finish-request.sql');
const forgetSql = loadText(import.meta.url, './forget-request.sql');
const removeSql = loadText(import.meta.url, './remove-requests.sql');

interface RequestRow {
  readonly request_hash: string;
  readonly status: number | null;
  readonly etag: string | null;
  readonly body: unknown;
  readonly is_secret: boolean;
}

/** The answers in Postgres: schema `manage`. */
export function makePgAnswerStore(pool: Pool): AnswerStore {
  const begin: AnswerStore['begin'] = async (request) => {
    const { name, hash, atMs } = request;
    const values = [name.actorId, name.key, hash, atMs, atMs - ANSWER_KEPT_MS, HOLD_MS];
    const [begun] = await runSql<{ readonly holder: string }>(pool, beginSql, values);
    if (begun !== undefined) return { name, holder: begun.holder };
    const [row] = await runSql<RequestRow>(pool, readSql, [name.actorId, name.key]);
    // The other request has failed in the meantime.
    return row === undefined ? begin(request) : { known: fromRow(row) };
  };
  return {
    begin,
    async renew({ name: { actorId, key }, holder }) {
      await runSql(pool, renewSql, [actorId, key, holder, HOLD_MS]);
    },
    async finish({ name: { actorId, key }, holder }, { status, etag, body, isSecret }) {
      const stored = body === undefined || body === null ? null : JSON.stringify(body);
      await runSql(pool, finishSql, [actorId, key, holder, status, etag, stored, isSecret]);
    },
    async forget({ name: { actorId, key }, holder }) {
      await runSql(pool, forgetSql, [actorId, key, holder]);
    },
    async removeBefore(atMs) {
      await runSql(pool, removeSql, [atMs]);
    },
  };
}

function fromRow(row: RequestRow): KnownRequest {
  const { status, etag, body, is_secret: isSecret } = row;
  return { hash: row.request_hash, answer: status === null ? null : { status, etag, body, isSecret } };
}
