import { expect } from 'chai';
import { freeText, toCsv } from './csv.js';

describe('CSV', () => {
  it('quotes a cell with a comma, a quote or a line break', () => {
    expect(
      toCsv([
        ['a', 'b,c'],
        ['"d"', 'e\nf'],
      ]),
    ).to.equal('a,"b,c"\r\n"""d""","e\nf"\r\n');
  });

  it('puts a single quote before free text that a spreadsheet would compute, and before no other', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])
      expect(freeText(text)).to.equal(`'${text}`);
    for (const text of ['', 'INV-7', 'a=b', "'=1", '7']) expect(freeText(text)).to.equal(text);
  });
});
