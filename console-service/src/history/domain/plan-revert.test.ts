import { expect } from 'chai';
import type { StoredObject } from '../../catalog/domain/catalog-object.js';
import type { ObjectKind } from '../../catalog/domain/kinds.js';
import type { ObjectChange } from './object-change.js';
import { planRevert, type KnownObject, type RevertFacts } from './plan-revert.js';

const NOTHING: RevertFacts = { changes: [], known: [], below: [], keyOwners: [] };

function aChange(kind: ObjectKind, id: string, parts: Partial<ObjectChange>): ObjectChange {
  return {
    version: 3,
    atMs: 0,
    actor: 'anna',
    kind,
    id,
    change: 'updated',
    before: null,
    after: null,
    ...parts,
  };
}

function known(kind: ObjectKind, id: string, parts: Partial<KnownObject> = {}): KnownObject {
  return { kind, id, parentId: null, fields: {}, isRemoved: false, ...parts };
}

const app = (id: string, key: string): StoredObject => ({
  kind: 'app',
  id,
  parentId: 'pub_a',
  fields: { app_key: key },
});

const faultsOf = (facts: Partial<RevertFacts>): readonly string[] =>
  planRevert({ ...NOTHING, ...facts }).faults;

describe('a revert is refused', () => {
  it('when the parent of an object that was removed is gone', () => {
    const changes = [aChange('campaign', 'cmp_a', { change: 'removed', before: { name: 'A' } })];
    const campaign = known('campaign', 'cmp_a', { parentId: 'adv_a', isRemoved: true });
    expect(
      faultsOf({ changes, known: [campaign, known('advertiser', 'adv_a', { isRemoved: true })] }),
    ).to.deep.equal(['campaign cmp_a: its advertiser adv_a is not in the catalog']);
    expect(faultsOf({ changes, known: [campaign, known('advertiser', 'adv_a')] })).to.deep.equal([]);
  });

  it('when an object that was changed has been removed since', () => {
    const changes = [aChange('publisher', 'pub_a', { before: { name: 'A' }, after: { name: 'B' } })];
    expect(faultsOf({ changes, known: [known('publisher', 'pub_a', { isRemoved: true })] })).to.deep.equal([
      'publisher pub_a: was removed later; revert that version first',
    ]);
  });

  it('when another app has the app key by now', () => {
    const changes = [aChange('app', 'app_a', { change: 'removed', before: { app_key: 'k' } })];
    const objects = [
      known('app', 'app_a', { parentId: 'pub_a', isRemoved: true }),
      known('publisher', 'pub_a'),
    ];
    const facts = { changes, known: objects };
    expect(faultsOf({ ...facts, keyOwners: [app('app_b', 'k')] })).to.deep.equal([
      'app app_a.app_key: is by now the key of app app_b',
    ]);
    const made = aChange('app', 'app_b', { change: 'created', after: { app_key: 'k' } });
    const other = { ...app('app_b', 'k'), isRemoved: false };
    expect(
      faultsOf({ changes: [...changes, made], known: [...objects, other], keyOwners: [app('app_b', 'k')] }),
      'the other one goes in the same revert',
    ).to.deep.equal([]);
  });

  it('when an object exists again with another format', () => {
    const changes = [aChange('creative', 'cr_a', { change: 'removed', before: { format: 'banner' } })];
    const objects = [known('creative', 'cr_a', { parentId: 'cmp_a', fields: { format: 'rewarded' } })];
    expect(faultsOf({ changes, known: objects })).to.deep.equal(['creative cr_a.format: cannot change']);
  });

  it('when a campaign would end before it begins', () => {
    const before = { ends_at: '2026-02-01T00:00:00Z' };
    const changes = [aChange('campaign', 'cmp_a', { before, after: { ends_at: null } })];
    const fields = { starts_at: '2026-03-01T00:00:00Z', ends_at: null };
    expect(faultsOf({ changes, known: [known('campaign', 'cmp_a', { fields })] })).to.deep.equal([
      'campaign cmp_a.ends_at: starts_at 2026-03-01T00:00:00Z must be before ends_at 2026-02-01T00:00:00Z',
    ]);
  });
});

describe('a revert', () => {
  it('leaves alone what is gone already, and fields that an older release did not store', () => {
    const created = aChange('publisher', 'pub_b', { change: 'created', after: {} });
    const before = { name: 'A' };
    const updated = aChange('publisher', 'pub_a', { before, after: { name: 'B', approved: true } });
    const fields = { name: 'B', approved: true };
    const objects = [
      known('publisher', 'pub_b', { isRemoved: true }),
      known('publisher', 'pub_a', { fields }),
    ];
    const { changes } = planRevert({ ...NOTHING, changes: [created, updated], known: objects });
    expect(changes.map(({ id, after }) => [id, after])).to.deep.equal([
      ['pub_a', { name: 'A', approved: true }],
    ]);
  });
});
