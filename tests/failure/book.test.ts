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

  describe('where clocks may differ by 5 s', () => {
    const FILL = { requestId: 'req_1', campaignId: 'cmp_x', appId: 'app_x', filledAtMs: 1_000 };
    const bookAt = (expiredAtMs: number): Book => {
      const book = new Book({ adTtlMs: 45_000, withinMs: 5_000 });
      book.addFill(FILL);
      book.addOutcome('impression', 'req_1', 'expired_token', expiredAtMs);
      book.addOutcome('impression', 'req_1', 'accepted', expiredAtMs);
      return book;
    };

    it('lets a copy be expired and another accepted around the end of the ad', () => {
      for (const atMs of [41_000, 51_000]) expect(bookAt(atMs).contradictions()).to.deep.equal([]);
    });

    it('finds the contradiction at any other time', () => {
      for (const atMs of [40_999, 51_001]) expect(bookAt(atMs).contradictions()).to.have.length(1);
    });
  });

  it('keeps the completion of the first report of a reward', () => {
    const book = new Book();
    book.noteCompletion('req_1', false);
    book.noteCompletion('req_1', true);
    expect(book.isCompleted('req_1')).to.equal(false);
  });
});
