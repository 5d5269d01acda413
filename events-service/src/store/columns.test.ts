import { expect } from 'chai';
import { toColumns } from './columns.js';

describe('rows as columns', () => {
  it('make one array literal per column, whatever the values contain', () => {
    const rows = [
      { text: 'plain', amount: 9_007_199_254_740_993n, isTest: false },
      { text: 'a "quoted", {braced} back\\slash', amount: -1n, isTest: true },
      { text: '', amount: null, isTest: null },
      { text: 'NULL', amount: 0, isTest: true },
    ];
    expect(toColumns(rows, [(row) => row.text, (row) => row.amount, (row) => row.isTest])).to.deep.equal([
      '{"plain","a \\"quoted\\", {braced} back\\\\slash","","NULL"}',
      '{9007199254740993,-1,NULL,0}',
      '{false,true,NULL,true}',
    ]);
  });

  it('make empty arrays when there are no rows', () => {
    expect(toColumns([], [(row) => row, () => 1])).to.deep.equal(['{}', '{}']);
  });
});
