import { asOwnerId } from '@placard/service-kit/pure';
import { expect } from 'chai';
import fc from 'fast-check';
import { accountText, readAccountName } from './account-name.js';

describe('the name of an account', () => {
  const names: readonly (readonly [string, ReturnType<typeof readAccountName>])[] = [
    ['advertiser:adv_x', { kind: 'advertiser', id: asOwnerId('adv_x') }],
    ['publisher:pub_x', { kind: 'publisher', id: asOwnerId('pub_x') }],
    ['platform', { kind: 'platform', id: 'platform' }],
    ['deposits', { kind: 'deposits', id: 'deposits' }],
    ['payouts', { kind: 'payouts', id: 'payouts' }],
    ['adv_x', { kind: null, id: asOwnerId('adv_x') }],
    ['advertiser', { kind: null, id: asOwnerId('advertiser') }],
    ['advertiser:a:b', { kind: 'advertiser', id: asOwnerId('a:b') }],
    ['advertiser:platform', { kind: 'advertiser', id: asOwnerId('platform') }],
    ['advertiser:', null],
    ['', null],
    [':', null],
    [':adv_x', null],
    ['platform:platform', null],
    ['deposits:x', null],
    ['Advertiser:adv_x', null],
  ];
  for (const [text, name] of names) {
    it(`${JSON.stringify(text)} is ${name === null ? 'none' : `${String(name.kind)} ${name.id}`}`, () => {
      expect(readAccountName(text)).to.deep.equal(name);
    });
  }

  it('is written with its kind, but for the accounts of which there is one', () => {
    expect(accountText({ kind: 'advertiser', id: asOwnerId('x') })).to.equal('advertiser:x');
    expect(accountText({ kind: 'publisher', id: asOwnerId('platform') })).to.equal('publisher:platform');
    expect(accountText({ kind: 'platform', id: 'platform' })).to.equal('platform');
    expect(accountText({ kind: 'deposits', id: 'deposits' })).to.equal('deposits');
    expect(accountText({ kind: 'payouts', id: 'payouts' })).to.equal('payouts');
  });

  it('is read as it was written, whatever the id', () => {
    const owned = fc.record({
      kind: fc.constantFrom('advertiser' as const, 'publisher' as const),
      id: fc.string({ minLength: 1 }),
    });
    fc.assert(
      fc.property(owned, (account) => {
        expect(readAccountName(accountText(account))).to.deep.equal(account);
      }),
    );
  });
});
