import { expect } from 'chai';
import { Book } from './book.js';
import type { Outcome, Verdict } from './book.js';

function bookOf(...outcomes: readonly Outcome[]): Book {
  const book = new Book();
  for (const outcome of outcomes) book.addOutcome('impression', 'req_1', outcome);
  return book;
}

describe("the client's book", () => {
  const agreed: readonly (readonly [outcomes: readonly Outcome[], verdict: Verdict])[] = [
    [[], 'none'],
    [['accepted'], 'accepted'],
    [['duplicate', 'accepted'], 'accepted'],
    [['unknown', 'accepted'], 'accepted'],
    [['unknown', 'duplicate'], 'accepted'],
    [['unknown', 'unknown'], 'open'],
    [['unknown', 'expired_token'], 'refused'],
    [['suspicious', 'suspicious'], 'refused'],
  ];
  for (const [outcomes, verdict] of agreed) {
    it(`takes ${outcomes.join(', ') || 'nothing'} for ${verdict}`, () => {
      const book = bookOf(...outcomes);
      expect(book.verdict('impression', 'req_1')).to.equal(verdict);
      expect(book.contradictions()).to.deep.equal([]);
      expect(book.open()).to.have.length(verdict === 'open' ? 1 : 0);
      expect(book.accepted('impression')).to.have.length(verdict === 'accepted' ? 1 : 0);
    });
  }

  const contradicting: readonly (readonly Outcome[])[] = [
    ['accepted', 'accepted'],
    ['duplicate'],
    ['accepted', 'suspicious'],
    ['unknown', 'duplicate', 'expired_token'],
  ];
  for (const outcomes of contradicting) {
    it(`finds that ${outcomes.join(', ')} contradict each other`, () => {
      expect(bookOf(...outcomes).contradictions()).to.have.length(1);
    });
  }

  it('keeps the events of one fill apart', () => {
    const book = bookOf('accepted');
    book.addOutcome('click', 'req_1', 'unknown');
    expect(book.verdict('click', 'req_1')).to.equal('open');
    expect(book.accepted('impression')).to.deep.equal(['req_1']);
    expect(book.open()).to.deep.equal([{ kind: 'click', requestId: 'req_1' }]);
  });

  it('holds to the completion that a reward was first sent with', () => {
    const book = new Book();
    book.noteCompletion('req_1', false);
    book.noteCompletion('req_1', true);
    expect(book.isCompleted('req_1')).to.equal(false);
  });
});
