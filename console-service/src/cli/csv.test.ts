import { expect } from 'chai';
import { freeText, toCsv } from './csv.js';

describe('CSV', () => {
  it('quotes a cell with a comma or a quote, and writes control characters as escapes', () => {
    expect(
      toCsv([
        ['a', 'b,c'],
        ['"d"', 'e\nf\u001b[2K\u009b\u202e'],
      ]),
    ).to.equal('a,"b,c"\r\n"""d""",e\\nf\\u001b[2K\\u009b\\u202e\r\n');
  });

  it('puts a single quote only before free text that a spreadsheet would compute', () => {
    for (const text of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])
      expect(freeText(text)).to.equal(`'${text}`);
    for (const text of ['', 'INV-7', 'a=b', "'=1", '7']) expect(freeText(text)).to.equal(text);
  });
});
