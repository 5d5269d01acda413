import type { SigningKey } from '@placard/service-kit/callbacks';
import { loadText } from '@placard/service-kit/files';
import type { Pool } from '@placard/service-kit/postgres';
import { runSql } from '../../store/run-sql.js';
import type { Notice } from '../domain/webhook.js';
import type { NoticeStore, WebhookStore } from './webhooks.js';

const readWebhooksSql = loadText(import.meta.url, './read-webhooks.sql');
const addWebhookSql = loadText(import.meta.url, './add-webhook.sql');
const removeWebhookSql = loadText(import.meta.url, './remove-webhook.sql');
const readNoticeSql = loadText(import.meta.url, './read-notice.sql');
const readWaitingSql = loadText(import.meta.url, './read-waiting-notices.sql');
const markNoticeSql = loadText(import.meta.url, './mark-notice.sql');
const pruneNoticesSql = loadText(import.meta.url, './prune-notices.sql');
const readKeysSql = loadText(import.meta.url, './read-signing-keys.sql');
const addKeySql = loadText(import.meta.url, './add-signing-key.sql');

/** The webhooks in Postgres, schema `health`. */
export function makePgWebhookStore(pool: Pool): WebhookStore {
  return {
    async list() {
      const rows = await runSql<{
        readonly id: string;
        readonly name: string;
        readonly url: string;
        readonly created_at: number;
      }>(pool, readWebhooksSql);
      return rows.map(({ created_at: createdAtMs, ...webhook }) => ({ ...webhook, createdAtMs }));
    },
    async add({ id, name, url, createdAtMs }, { countMax, actor }) {
      return (await runSql(pool, addWebhookSql, [id, name, url, createdAtMs, countMax, actor])).length > 0;
    },
    async remove(id, { atMs, actor }) {
      return (await runSql(pool, removeWebhookSql, [id, atMs, actor])).length > 0;
    },
  };
}

/** Notices and signing keys in Postgres, schema `health`. */
export function makePgNoticeStore(pool: Pool): NoticeStore {
  return {
    async read(id) {
      const [notice] = await runSql<Notice>(pool, readNoticeSql, [id]);
      return notice ?? null;
    },
    async readWaiting(after, countMax) {
      const rows = await runSql<{ readonly id: string; readonly made_at: number }>(pool, readWaitingSql, [
        ...[after?.madeAtMs ?? null, after?.id ?? null, countMax],
      ]);
      return rows.map(({ id, made_at: madeAtMs }) => ({ id, madeAtMs }));
    },
    async mark(id, { atMs, fault, isGivenUp }) {
      await runSql(pool, markNoticeSql, [id, atMs, fault === null, isGivenUp, fault]);
    },
    async prune(beforeMs) {
      await runSql(pool, pruneNoticesSql, [beforeMs]);
    },
    async readKeys() {
      const rows = await runSql<{
        readonly id: string;
        readonly private_jwk: SigningKey['privateJwk'];
      }>(pool, readKeysSql);
      return rows.map(({ id, private_jwk: privateJwk }) => ({ id, privateJwk }));
    },
    async addFirstKey({ id, privateJwk }, atMs) {
      await runSql(pool, addKeySql, [id, JSON.stringify(privateJwk), atMs]);
    },
  };
}
