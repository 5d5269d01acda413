import { expect } from 'chai';
import { EXAMPLE } from '../../../../test/support/catalog-text.js';
import { judge, storedAfter } from '../../../../test/support/judge.js';
import { readHere } from '../../file/read-here.js';
import type { StoredObject } from '../catalog-object.js';
import { unconfirmed, type Unconfirmed } from './removals.js';

const stored = storedAfter(judge(EXAMPLE).changes);
const CREATIVES: readonly StoredObject[] = Array.from({ length: 6 }, (_, index) => ({
  kind: 'creative',
  id: `cr_${index}`,
  parentId: 'cmp_spring',
  fields: {},
}));

/** What must be confirmed before a file is applied with --prune. */
function toConfirm(text: string, objects: readonly StoredObject[] = stored): Unconfirmed | null {
  const { file } = readHere(text);
  const { changes } = judge(text, objects, true);
  return unconfirmed(
    changes.filter(({ action }) => action === 'removed'),
    file!,
  );
}

describe('a removal needs a confirmation', () => {
  it('not when nothing is removed', () => {
    expect(toConfirm(EXAMPLE)).to.equal(null);
  });

  it('not for a few objects below the parents that the file lists, and what is below those', () => {
    expect(toConfirm('advertisers: [{ id: adv_northwind, campaigns: [] }]')).to.equal(null);
    expect(toConfirm('publishers: [{ id: pub_sunrise, apps: [] }]')).to.equal(null);
  });

  it('for more than five objects', () => {
    const text = 'advertisers: [{ id: adv_northwind, campaigns: [{ id: cmp_spring, creatives: [] }] }]';
    const creatives = (count: number) => [...stored.slice(0, -1), ...CREATIVES.slice(0, count)];
    expect(toConfirm(text, creatives(5))).to.equal(null);
    expect(toConfirm(text, creatives(6))).to.deep.equal({ removedCount: 6, outsideCount: 0 });
  });

  it('for any object outside the parents that the file lists, with all that is below it', () => {
    expect(toConfirm('advertisers: [{ id: adv_b, name: B }]')).to.deep.equal({
      removedCount: 3,
      outsideCount: 3,
    });
    expect(toConfirm('publishers: []\nadvertisers: [{ id: adv_northwind, campaigns: [] }]')).to.deep.equal({
      removedCount: 5,
      outsideCount: 3,
    });
  });
});
