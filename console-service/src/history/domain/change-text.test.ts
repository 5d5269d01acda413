import { expect } from 'chai';
import { changeText } from './change-text.js';
import type { ObjectChange } from './object-change.js';

const UPDATE: ObjectChange = {
  version: 8,
  atMs: Date.UTC(2026, 4, 1, 12),
  actor: 'ben',
  kind: 'campaign',
  id: 'cmp_a',
  change: 'updated',
  before: { bid_cpm: '2.50', name: 'A', status: 'active' },
  after: { bid_cpm: '3.00', name: 'A', status: 'paused' },
};

describe('a change of an object in words', () => {
  it('says which version, when, who, and which fields', () => {
    expect(changeText(UPDATE)).to.equal(
      'updated in version 8 at 2026-05-01T12:00:00.000Z by ben (status: active → paused; bid_cpm: 2.50 → 3.00)',
    );
  });

  it('has no fields when the object was created or removed', () => {
    expect(changeText({ ...UPDATE, change: 'removed', after: null })).to.equal(
      'removed in version 8 at 2026-05-01T12:00:00.000Z by ben',
    );
  });
});
