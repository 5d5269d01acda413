import { expect } from 'chai';
import { readRole, roleText } from './role.js';

describe('the text of a role', () => {
  for (const text of [
    'admin',
    'adops',
    'finance',
    'readonly',
    'publisher:pub_sunrise',
    'advertiser:adv_northwind',
  ])
    it(`${text} is read and written alike`, () => {
      const role = readRole(text);
      expect(role).not.to.equal(null);
      expect(roleText(role!)).to.equal(text);
    });

  it('of a publisher names the id of the publisher', () => {
    expect(readRole('publisher:pub_sunrise')).to.deep.equal({ kind: 'publisher', id: 'pub_sunrise' });
  });

  for (const text of [
    '',
    'Admin',
    'admin ',
    'owner',
    'admin:pub_sunrise',
    'publisher',
    'publisher:',
    'publisher:p',
    'publisher:Pub_sunrise',
    'publisher:pub_a:pub_b',
    'publisher:pub sunrise',
    `publisher:${'a'.repeat(65)}`,
  ])
    it(`is refused as ${JSON.stringify(text)}`, () => expect(readRole(text)).to.equal(null));
});
