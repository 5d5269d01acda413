import { appError } from '@placard/service-kit';
import { asAdvertiserId, asOwnerId } from '@placard/service-kit/pure';
import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import type { Deposit } from '../../src/accounts/domain/deposit-rules.js';
import type { StoredObject } from '../../src/catalog/domain/catalog-object.js';
import type { ObjectKind } from '../../src/catalog/domain/kinds.js';
import type { Change } from '../../src/catalog/domain/plan-apply.js';
import type { CatalogStore, CatalogTransaction } from '../../src/catalog/store/catalog-store.js';

const AT_MS = Date.UTC(2026, 4, 1, 12);
const BY = { actor: 'test', atMs: AT_MS };

/** What readers follow, and how a suite changes it. */
export interface ChangingCatalog {
  readonly store: Pick<CatalogStore, 'readVersion' | 'readChanges'>;
  /** Creates or updates a publisher of that name under a new version. */
  put(id: string, name: string): Promise<void>;
  /** Removes a publisher under a new version. */
  remove(id: string): Promise<void>;
}

/** What any store must do that readers of the catalog follow. `open` answers one without publishers. */
export function describeCatalogChanges(name: string, open: () => Promise<ChangingCatalog>): void {
  describe(`changes of the catalog ${name}`, () => {
    let catalog: ChangingCatalog;
    beforeEach(async () => {
      catalog = await open();
    });
    const changesAfter = async (version: number): Promise<readonly unknown[]> => {
      const { rows } = await catalog.store.readChanges(version);
      return rows
        .filter(({ kind }) => kind === 'publisher')
        .map(({ id, fields, version: at, isRemoved }) => [id, fields['name'], at, isRemoved])
        .sort();
    };

    it('have the version of the last change, which rises by one with each', async () => {
      const before = await catalog.store.readVersion();
      await catalog.put('pub_a', 'A');
      await catalog.put('pub_b', 'B');
      expect(await catalog.store.readVersion()).to.equal(before + 2);
      expect((await catalog.store.readChanges(0)).version).to.equal(before + 2);
    });

    it('behind a version are the objects that were changed since, each once and as it is by now', async () => {
      const before = await catalog.store.readVersion();
      await catalog.put('pub_a', 'A');
      await catalog.put('pub_b', 'B');
      await catalog.put('pub_a', 'A again');
      expect(await changesAfter(before + 1)).to.deep.equal([
        ['pub_a', 'A again', before + 3, false],
        ['pub_b', 'B', before + 2, false],
      ]);
      expect(await changesAfter(before + 2)).to.deep.equal([['pub_a', 'A again', before + 3, false]]);
    });

    it('behind the newest version are none, and the version all the same', async () => {
      await catalog.put('pub_a', 'A');
      const version = await catalog.store.readVersion();
      expect(await catalog.store.readChanges(version)).to.deep.equal({ version, rows: [] });
    });

    it('hold what was removed as a tombstone with its last fields', async () => {
      const before = await catalog.store.readVersion();
      await catalog.put('pub_a', 'A');
      await catalog.remove('pub_a');
      expect(await changesAfter(before + 1)).to.deep.equal([['pub_a', 'A', before + 2, true]]);
      expect(await changesAfter(0), 'from the begin').to.deep.equal([['pub_a', 'A', before + 2, true]]);
    });
  });
}

/** Creates an object, or removes it when `isRemoved`. */
export function changeOf({ kind, id, parentId, fields }: StoredObject, isRemoved = false): Change {
  const base = { kind, id, parentId, details: [] };
  return isRemoved
    ? { ...base, action: 'removed', before: fields, after: null }
    : { ...base, action: 'created', before: null, after: fields };
}

function anObject(kind: ObjectKind, id: string, parentId: string | null = null, fields = {}): StoredObject {
  return { kind, id, parentId, fields: { name: id, ...fields } };
}

const PUBLISHER = anObject('publisher', 'pub_a');
const APP = anObject('app', 'app_a', 'pub_a', { app_key: 'key_a' });
const ADVERTISER = anObject('advertiser', 'adv_a');
const OWNED = { kind: 'advertiser', id: asOwnerId('adv_a') } as const;

/** What any catalog store must do. `open` answers one with an empty catalog. Contract: docs/contract/catalog.md. */
export function describeCatalogStore(name: string, open: () => Promise<CatalogStore>): void {
  describe(`a catalog store ${name}`, () => {
    let store: CatalogStore;
    beforeEach(async () => {
      store = await open();
    });

    const publish = (changes: readonly Change[], deposits: readonly Deposit[] = []) =>
      store.inChange((transaction) => transaction.publish({ changes, deposits, ...BY }));
    const put = (...objects: readonly StoredObject[]) => publish(objects.map((one) => changeOf(one)));
    const idsOf = (objects: readonly StoredObject[]): string[] =>
      objects.filter(({ kind }) => kind !== 'global').map(({ kind, id }) => `${kind} ${id}`);
    const deposit = (reference: string, amountNanos = 5n): Deposit => ({
      reference,
      advertiserId: asAdvertiserId('adv_a'),
      amountNanos,
    });
    const adjust = (amountNanos: bigint, reference = 'ticket 4') =>
      store.inChange((transaction) =>
        transaction.adjust({ reference, account: OWNED, amountNanos, reason: 'Correction' }, BY),
      );
    const fundedOf = async (id: string): Promise<bigint | undefined> =>
      (await store.readChanges(0)).rows.find((row) => row.id === id)?.fundedNanos;

    describe('changes', () => {
      it('begins at version 1, with the global object alone', async () => {
        expect(await store.readVersion()).to.equal(1);
        expect((await store.readAll()).objects.map(({ kind }) => kind)).to.deep.equal(['global']);
      });

      it('shows all of a change under one new version', async () => {
        const { version } = await put(PUBLISHER, APP, ADVERTISER);
        expect(version).to.equal(2);
        const { rows, version: read } = await store.readChanges(1);
        expect(read).to.equal(2);
        expect(rows.map((row) => row.version)).to.deep.equal([2, 2, 2]);
      });

      it('keeps nothing of a change whose work fails', async () => {
        const failing = store.inChange(async (transaction) => {
          const changes = [changeOf(PUBLISHER), changeOf(ADVERTISER)];
          await transaction.publish({ changes, deposits: [deposit('d')], ...BY });
          throw appError('conflict', 'Changed its mind.');
        });
        expect(await codeOf(failing)).to.equal('conflict');
        expect(await store.readVersion()).to.equal(1);
        expect(idsOf((await store.readAll()).objects)).to.deep.equal([]);
        expect(await store.inChange((transaction) => transaction.readFundsTotal())).to.equal(0n);
      });

      it('passes on a fault of the work as one of the product, with its cause', async () => {
        const cause = new TypeError('x is not a function');
        const failure: unknown = await store
          .inChange(() => Promise.reject(cause))
          .catch((thrown: unknown) => thrown);
        expect(failure).to.include({ code: 'server_error', cause });
      });

      it('answers what the work answers, and makes no version for work that publishes nothing', async () => {
        expect(await store.inChange(({ version }) => Promise.resolve(version))).to.equal(1);
        expect(await store.readVersion()).to.equal(1);
      });

      it('puts changes that come together into one order, each behind the one before', async () => {
        const versions = await Promise.all(
          Array.from({ length: 10 }, (_, n) =>
            store.inChange(async (transaction) => {
              const changes = [changeOf(anObject('publisher', `pub_${n}`))];
              const seen = (await transaction.readAll()).length;
              const { version } = await transaction.publish({ changes, deposits: [], ...BY });
              expect(version).to.equal(transaction.version + 1);
              // The global object, and one for each change before.
              expect(seen).to.equal(transaction.version);
              return version;
            }),
          ),
        );
        expect(versions.sort((a, b) => a - b)).to.deep.equal([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
      });

      it('publishes more objects than fit into one statement', async () => {
        const many = Array.from({ length: 10_001 }, (_, n) => anObject('publisher', `pub_${n}`));
        expect((await put(...many)).version).to.equal(2);
        expect((await store.readOwnerIds()).publisherIds).to.have.length(many.length);
      });
    });

    describe('objects', () => {
      it('are read as they were published, with the defaults of fields that they lack', async () => {
        await put({ ...ADVERTISER, fields: { name: 'é 日本' } });
        const [read] = (await store.readAll()).objects.filter(({ kind }) => kind === 'advertiser');
        expect(read).to.deep.include({ kind: 'advertiser', id: 'adv_a', parentId: null });
        expect(read?.fields).to.include({ name: 'é 日本' }).and.to.have.property('balance');
      });

      it('are named by kind and id; an app is read by its key as well, and what is not there is left out', async () => {
        await put(PUBLISHER, APP, anObject('app', 'app_b', 'pub_a', { app_key: 'key_b' }), ADVERTISER);
        const named = await store.inChange((transaction) =>
          transaction.readNamed(
            [
              { kind: 'advertiser', id: 'adv_a' },
              { kind: 'publisher', id: 'adv_a' },
            ],
            ['key_b', 'key_x'],
          ),
        );
        expect(idsOf(named)).to.have.members(['advertiser adv_a', 'app app_b']);
      });

      it('are read by their place: those below some, and the ids beside others', async () => {
        await put(PUBLISHER, APP, anObject('app', 'app_b', 'pub_a', { app_key: 'key_b' }), ADVERTISER);
        const { reads } = store;
        expect(idsOf(await reads.readBelow([PUBLISHER, ADVERTISER]))).to.have.members([
          'app app_a',
          'app app_b',
        ]);
        expect(await reads.readSiblings([APP, ADVERTISER], 3)).to.have.deep.members([
          { kind: 'app', id: 'app_a', parentId: 'pub_a' },
          { kind: 'app', id: 'app_b', parentId: 'pub_a' },
          { kind: 'advertiser', id: 'adv_a', parentId: null },
        ]);
        expect(await reads.readSiblings([APP, ADVERTISER], 2), 'too many').to.equal(null);
      });

      it('that were removed are read with their last fields where that is asked for', async () => {
        await put(PUBLISHER, APP);
        await publish([changeOf(APP, true)]);
        const ever = await store.reads.readEver([PUBLISHER, APP, ADVERTISER]);
        expect(ever.map(({ id, parentId, isRemoved }) => [id, parentId, isRemoved])).to.have.deep.members([
          ['pub_a', null, false],
          ['app_a', 'pub_a', true],
        ]);
        expect(await store.reads.readBelow([PUBLISHER])).to.deep.equal([]);
      });

      it('of owners have ids that are read in their order', async () => {
        await put(anObject('publisher', 'pub_b'), PUBLISHER, ADVERTISER);
        expect(await store.readOwnerIds()).to.deep.equal({
          advertiserIds: ['adv_a'],
          publisherIds: ['pub_a', 'pub_b'],
        });
      });

      it('that were removed are neither read nor named, and whose id it was stays known', async () => {
        await put(ADVERTISER);
        await publish([changeOf(ADVERTISER, true)]);
        expect(idsOf((await store.readAll()).objects)).to.deep.equal([]);
        expect((await store.readOwnerIds()).advertiserIds).to.deep.equal([]);
        expect(await store.ownersOf(asOwnerId('adv_a'))).to.deep.equal(['advertiser']);
        const within = (transaction: CatalogTransaction) => transaction.readNamed([ADVERTISER], []);
        expect(await store.inChange(within)).to.deep.equal([]);
      });

      it('have the owners that an id names, each kind once, and none for other kinds', async () => {
        await put(PUBLISHER, APP, anObject('advertiser', 'pub_a'));
        expect(await store.ownersOf(asOwnerId('pub_a'))).to.deep.equal(['advertiser', 'publisher']);
        expect(await store.ownersOf(asOwnerId('app_a'))).to.deep.equal([]);
      });
    });

    describe('funds', () => {
      beforeEach(() => put(ADVERTISER));

      it('have each deposit once: one whose reference is taken is left out', async () => {
        const first = await publish([], [deposit('one'), deposit('two')]);
        const second = await publish([], [deposit('two', 9n), deposit('three')]);
        expect([...first.deposited].sort()).to.deep.equal(['one', 'two']);
        expect([...second.deposited]).to.deep.equal(['three']);
        expect(await fundedOf('adv_a')).to.equal(15n);
      });

      it('reach the readers of the advertiser under the new version', async () => {
        const { version } = await publish([], [deposit('one')]);
        const { rows } = await store.readChanges(version - 1);
        expect(rows.map(({ id, fundedNanos }) => [id, fundedNanos])).to.deep.equal([['adv_a', 5n]]);
        await adjust(-2n);
        const after = await store.readChanges(version);
        expect(after.version).to.equal(version + 1);
        expect(after.rows.map(({ id, fundedNanos }) => [id, fundedNanos])).to.deep.equal([['adv_a', 3n]]);
      });

      it('are found by their reference, deposits and adjustments each among their own', async () => {
        await publish([], [deposit('one')]);
        await adjust(-2n, 'two');
        const within = async (transaction: CatalogTransaction) => ({
          deposit: await transaction.readDeposit('one'),
          noDeposit: await transaction.readDeposit('two'),
          adjustment: await transaction.readAdjustment('two'),
          noAdjustment: await transaction.readAdjustment('one'),
        });
        expect(await store.inChange(within)).to.deep.equal({
          deposit: deposit('one'),
          noDeposit: undefined,
          adjustment: { reference: 'two', account: OWNED, amountNanos: -2n, reason: 'Correction' },
          noAdjustment: undefined,
        });
      });

      it('have a sum by advertiser', async () => {
        await publish([], [deposit('one'), deposit('two')]);
        await adjust(-3n);
        expect([...(await store.reads.readFunded(['adv_a', 'adv_b']))]).to.deep.equal([['adv_a', 7n]]);
      });

      it('have the sum of their sizes, whatever their sign', async () => {
        await publish([], [deposit('one')]);
        await adjust(-2n);
        expect(await store.inChange((transaction) => transaction.readFundsTotal())).to.equal(7n);
      });
    });
  });
}
