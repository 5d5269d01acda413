import { expect } from 'chai';
import { Faults } from '../../catalog/domain/faults.js';
import { planApply } from '../../catalog/domain/plan-apply.js';
import { objectFile } from './object-file.js';
import { toRawMap } from './raw-body.js';

const ADVERTISER = {
  kind: 'advertiser',
  id: 'adv_a',
  parentId: null,
  fields: { name: 'A', approved: true, balance: '0.00' },
} as const;

describe('the body of a request as a catalog file', () => {
  const plan = (body: object) => {
    const faults = new Faults();
    const object = { kind: 'campaign', parentId: 'adv_a', raw: toRawMap(body) } as const;
    const file = objectFile(object, ADVERTISER, faults);
    const { changes } = planApply(file, { objects: [ADVERTISER], isPruning: false }, faults);
    return { changes, faults: faults.list() };
  };

  it('changes the object, and not its parent', () => {
    const body = { id: 'cmp_a', name: 'A', bid_cpm: '2.5', targeting: { formats: ['banner'] } };
    const { changes, faults } = plan(body);
    expect(faults).to.deep.equal([]);
    expect(changes.map(({ action, id, parentId }) => [action, id, parentId])).to.deep.equal([
      ['created', 'cmp_a', 'adv_a'],
    ]);
    expect(changes[0]?.after).to.include({ bid_cpm: '2.50', status: 'active' });
    expect(changes[0]?.after?.['targeting.formats']).to.deep.equal(['banner']);
  });

  it('has faults with their path, as a file has', () => {
    const body = { id: 'cmp_a', bid_cpm: '-1', frequency_cap: { count: 0, period: 'hour' } };
    expect(plan(body).faults.map((line) => line.split(':')[0])).to.have.members([
      'campaign.bid_cpm',
      'campaign.frequency_cap.count',
      'campaign.name',
    ]);
  });

  it('needs an id of its kind', () => {
    expect(plan({ id: 'x', name: 'A', bid_cpm: '1' })).to.deep.include({ changes: [] });
    expect(plan({ id: 'x', name: 'A', bid_cpm: '1' }).faults[0]).to.match(/^campaign\.id: must be cmp_/);
  });
});
