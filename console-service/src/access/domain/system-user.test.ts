import { expect } from 'chai';
import { actorText } from './permission.js';
import { readSystemUser, systemUserText } from './system-user.js';

describe('the system user of a command', () => {
  it('is written in plain characters and read back', () => {
    for (const [name, text] of [
      ['ann', 'ann'],
      ['ACME\\ann.b-c@host', 'ACME\\ann.b-c@host'],
      ['jos\u00e9 (root)', 'jos___root_'],
      ['x'.repeat(65), 'x'.repeat(64)],
    ] as const) {
      expect(systemUserText(name)).to.equal(text);
      expect(readSystemUser(text)).to.equal(text);
    }
  });

  it('is not read when it is missing or of another form', () => {
    for (const given of [undefined, '', 'a b', 'a)', 'x'.repeat(65), 'a\nb', 'a, system user root'])
      expect(readSystemUser(given), given).to.equal(null);
  });

  it('stands behind the key in the audit', () => {
    const key = { id: 'key_1', name: 'laptop' };
    expect(actorText({ ...key, systemUser: 'ann' })).to.equal('key_1 (laptop), system user ann');
    expect(actorText({ ...key, systemUser: null })).to.equal('key_1 (laptop)');
    expect(actorText(key)).to.equal('key_1 (laptop)');
  });
});
