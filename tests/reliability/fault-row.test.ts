import { expect } from 'chai';
import { faultsOf, faultTable, type FaultRow } from './fault-row.js';

const ROW: FaultRow = {
  fault: 'one of two gateways is killed',
  clientsSaw: '2 of 900 requests got no answer',
  recoveredMs: 212.4,
  lost: 0,
  doubled: 0,
  overspent: 0,
};

describe('the table of faults', () => {
  it('has a line for each fault, in their order, and dashes for what a test does not compare', () => {
    const slow: FaultRow = {
      fault: 'Redis answers after 2 s',
      clientsSaw: 'no-fill | 500',
      recoveredMs: 12_345,
      lost: null,
      doubled: null,
      overspent: null,
    };
    expect(faultTable([ROW, slow]).split('\n').slice(2)).to.deep.equal([
      '| Redis answers after 2 s | no-fill \\| 500 | 12 s | – | – | – |',
      '| one of two gateways is killed | 2 of 900 requests got no answer | 212 ms | 0 | 0 | 0 |',
      '',
    ]);
  });

  it('names its faults', () => {
    expect(faultsOf(faultTable([ROW]))).to.deep.equal([ROW.fault]);
  });
});
