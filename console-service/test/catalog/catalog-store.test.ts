import { makePool, type Pool } from '@placard/service-kit/postgres';
import { asOwnerId } from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { openTestDatabase, type TestDatabase } from '@placard/service-kit/testing/stores';
import { expect } from 'chai';
import { fileURLToPath } from 'node:url';
import type { StoredObject } from '../../src/catalog/domain/catalog-object.js';
import type { CatalogStore } from '../../src/catalog/store/catalog-store.js';
import { makePgCatalogStore } from '../../src/catalog/store/catalog-store.pg.js';
import {
  changeOf,
  describeCatalogChanges,
  describeCatalogStore,
  type ChangingCatalog,
} from './catalog-store.suite.js';
import { MemoryChanges } from '../support/memory-changes.js';

const MIGRATIONS = { schema: 'catalog', dir: fileURLToPath(new URL('../../migrations', import.meta.url)) };

const databases: TestDatabase[] = [];
afterEach(async () => {
  for (const database of databases.splice(0)) await database.drop();
});

async function openPgStore(): Promise<CatalogStore> {
  const database = await openTestDatabase({ migrations: [MIGRATIONS] });
  databases.push(database);
  return makePgCatalogStore(database.pool);
}

function aPublisher(id: string, name: string): StoredObject {
  return { kind: 'publisher', id, parentId: null, fields: { name } };
}

async function openPgChanges(): Promise<ChangingCatalog> {
  const store = await openPgStore();
  const publish = async (object: StoredObject, isRemoved = false): Promise<void> => {
    const changes = [changeOf(object, isRemoved)];
    const publication = { changes, deposits: [], actor: 'test', atMs: 0 };
    await store.inChange((transaction) => transaction.publish(publication));
  };
  return {
    store,
    put: (id, name) => publish(aPublisher(id, name)),
    async remove(id) {
      const stored = (await store.readAll()).objects.find((object) => object.id === id);
      await publish(stored!, true);
    },
  };
}

async function openMemoryChanges(): Promise<ChangingCatalog> {
  const store = new MemoryChanges();
  const write = async (object: StoredObject, isRemoved: boolean): Promise<void> => {
    const version = (await store.readVersion()) + 1;
    store.set(version, { ...object, version, isRemoved, fundedNanos: 0n });
  };
  return Promise.resolve({
    store,
    put: (id, name) => write(aPublisher(id, name), false),
    async remove(id) {
      const { rows } = await store.readChanges(0);
      await write(
        rows.find((row) => row.id === id)!,
        true,
      );
    },
  });
}

describeCatalogStore('in Postgres', openPgStore);
describeCatalogChanges('in Postgres', openPgChanges);
describeCatalogChanges('in the memory that tests of the feed use', openMemoryChanges);

describe('a catalog store whose Postgres is away', () => {
  let pool: Pool;
  before(() => {
    pool = makePool({ url: 'postgres://127.0.0.1:1/none', poolMax: 1 }, () => undefined);
  });
  after(() => pool.end());

  const calls: Readonly<Record<string, (store: CatalogStore) => Promise<unknown>>> = {
    readVersion: (store) => store.readVersion(),
    readChanges: (store) => store.readChanges(0),
    readAll: (store) => store.readAll(),
    readOwnerIds: (store) => store.readOwnerIds(),
    ownersOf: (store) => store.ownersOf(asOwnerId('adv_a')),
    inChange: (store) => store.inChange(() => Promise.resolve()),
    'reads.readEver': (store) => store.reads.readEver([]),
    'reads.readBelow': (store) => store.reads.readBelow([]),
    'reads.readSiblings': (store) => store.reads.readSiblings([], 1),
    'reads.readFunded': (store) => store.reads.readFunded([]),
    'reads.readUsedUp': (store) => store.reads.readUsedUp([]),
    'history.read': (store) => store.history.read({ id: null, after: null, rowsMax: 1 }),
    'history.ofVersion': (store) => store.history.ofVersion(1),
    'history.since': (store) => store.history.since(1, 1),
    'history.laterThan': (store) => store.history.laterThan(1, []),
  };
  for (const [name, call] of Object.entries(calls)) {
    it(`fails with \`unavailable\` in ${name}`, async () => {
      expect(await codeOf(call(makePgCatalogStore(pool)))).to.equal('unavailable');
    });
  }
});
