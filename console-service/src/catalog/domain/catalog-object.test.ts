import { expect } from 'chai';
import { defaultsOf, isSameValue, objectId, objectKey, ownIdOf, showValue } from './catalog-object.js';

describe('an object of the catalog', () => {
  it('has its app in its id when it is a placement, and its own id else', () => {
    expect(objectId('placement', 'home', 'app_a')).to.equal('app_a/home');
    expect(objectId('app', 'app_a', 'pub_a')).to.equal('app_a');
    expect(objectId('placement', 'home', null)).to.equal('/home');
    expect(ownIdOf({ kind: 'placement', id: 'app_a/home' })).to.equal('home');
    expect(ownIdOf({ kind: 'app', id: 'app_a' })).to.equal('app_a');
  });

  it('has a key of its own among all kinds', () => {
    expect(objectKey('app', 'x')).to.equal('app x');
    expect(objectKey('publisher', 'x')).to.equal('publisher x');
  });

  it('has defaults for what is not required', () => {
    expect(defaultsOf('publisher')).to.deep.equal({ approved: false, serving_enabled: true });
    expect(defaultsOf('advertiser')).to.deep.equal({ approved: false, balance: '0.00' });
    expect(defaultsOf('global')).to.deep.equal({ serving_enabled: true });
  });

  it('has the same value twice when both say the same, lists and caps too', () => {
    expect(isSameValue('a', 'a')).to.equal(true);
    expect(isSameValue('a', 'b')).to.equal(false);
    expect(isSameValue(1, '1')).to.equal(false);
    expect(isSameValue(null, undefined)).to.equal(false);
    expect(isSameValue(['a', 'b'], ['a', 'b'])).to.equal(true);
    expect(isSameValue(['a', 'b'], ['b', 'a'])).to.equal(false);
    expect(isSameValue({ count: 1, period: 'day' }, { count: 1, period: 'day' })).to.equal(true);
    expect(isSameValue({ count: 1, period: 'day' }, { count: 2, period: 'day' })).to.equal(false);
  });

  it('shows a value as a person reads it', () => {
    const reward = { item: 'coins', amount: 5, callback_url: 'https://a.example/' };
    expect(
      [null, undefined, 'x', true, 5, [], ['a', 7], { count: 3, period: 'hour' }, reward].map((value) =>
        showValue(value),
      ),
    ).to.deep.equal([
      'null',
      'null',
      'x',
      'true',
      '5',
      '[]',
      '[a, 7]',
      '3 per hour',
      '5 coins, to https://a.example/',
    ]);
  });
});
