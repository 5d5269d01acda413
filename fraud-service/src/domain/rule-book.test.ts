import { expect } from 'chai';
import { testAdRequest, testClick, testImpression, testRuleBook } from '../../test/traffic.js';

describe('the rule book', () => {
  const early = testClick({ arrivedAtMs: testClick().impressionArrivedAtMs + 999 });

  it('examines a click by its delay, and does not report the rule that refuses as one in shadow mode', () => {
    const book = testRuleBook();
    expect(book.examine(testClick())).to.deep.equal({ verdict: null, shadowed: [] });
    expect(book.examine(early)).to.deep.equal({ verdict: 'click_delay', shadowed: [] });
  });

  it('reports a rule in shadow mode, which refuses nothing', () => {
    const book = testRuleBook({}, ['click_delay']);
    expect(book.examine(early)).to.deep.equal({ verdict: null, shadowed: ['click_delay'] });
  });

  it('claims an event for its placement, and an ad request for none', () => {
    const book = testRuleBook();
    expect(book.claim(testAdRequest()).placement).to.equal(null);
    expect(book.claim(testImpression()).placement).to.equal('home_banner');
  });
});
