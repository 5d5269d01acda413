import { expect } from 'chai';
import { databaseFault, sqlStateOf } from './postgres-faults.js';

const errorOf = (code: string): Error => Object.assign(new Error('failed'), { code });

describe('an error of the database', () => {
  for (const code of ['23505', '40001', '0A000', '57P01', 'XX000', 'P0001', 'HV000', 'HV00A', 'F0000'])
    it(`has the SQLSTATE ${code}`, () => expect(sqlStateOf(errorOf(code))).to.equal(code));

  for (const code of ['EPIPE', 'EPERM', 'ECONNRESET', 'ETIMEDOUT', ''])
    it(`has no SQLSTATE when the code is “${code}”`, () => {
      expect(sqlStateOf(errorOf(code))).to.equal(null);
      expect(databaseFault('The database', errorOf(code))).to.equal('The database did not answer.');
    });

  it('has no SQLSTATE without a code', () => {
    expect(sqlStateOf(new Error('failed'))).to.equal(null);
    expect(sqlStateOf(null)).to.equal(null);
  });
});
