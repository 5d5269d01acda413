import { expect } from 'chai';
import { Book, type Caller, type Fields, type Sent } from './book.js';
import { differencesOf } from './differences.js';
import { Tally } from './tally.js';

const CALLER: Caller = { app: 'app_a', country: 'DE', isTest: false, isHonest: true };
const ROW = 'app_a/top/DE';
const CAMPAIGN = 'app_a cmp_1';
const ACCEPTED = { isAccepted: true, reason: null };
const REQUEST = { app_key: 'app_x', placement: 'top' };

describe("the phones' book", () => {
  let book: Book;
  let nowMs: number;
  beforeEach(() => {
    book = new Book();
    nowMs = 10_000;
  });

  const sent = (path: string, body: Fields, caller = CALLER): Sent => ({ path, body, caller });
  const answer = (path: string, body: Fields, status: number, answered: Fields, caller = CALLER): void =>
    book.answered(sent(path, body, caller), { status, body: answered }, nowMs);
  const fill = (id: string, caller = CALLER): void =>
    answer(
      '/ads/request',
      REQUEST,
      200,
      { status: 'fill', request_id: id, ad: { campaign_id: 'cmp_1' } },
      caller,
    );
  const event = (id: string, status: number, answered: Fields): void =>
    answer('/events/impression', { request_id: id }, status, answered);
  const counts = (): Readonly<Record<string, string>> =>
    Object.fromEntries(
      [...book.tally().entries()].map(({ row, figure, count: { least, most } }) => [
        `${row} ${figure}`,
        least === most ? String(least) : `${least}..${most}`,
      ]),
    );

  it('counts each true answer, by app, placement and country, and by campaign', () => {
    fill('req_1');
    const noFill = { status: 'no_fill', request_id: 'req_2', reason: 'frequency_capped' };
    answer('/ads/request', REQUEST, 200, noFill);
    answer('/events/fallback', { placement: 'top', reason: 'no_fill' }, 200, { status: 'accepted' });
    expect(counts()).to.deep.equal({
      [`${ROW} requests`]: '2',
      [`${ROW} fills`]: '1',
      [`${CAMPAIGN} fills`]: '1',
      [`${ROW} no-fill frequency_capped`]: '1',
      [`${ROW} fallback no_fill`]: '1',
    });
  });

  it('counts an impression when the SDK says that the server has it, and no refused one', () => {
    for (const id of ['req_1', 'req_2', 'req_3']) {
      fill(id);
      book.did('impression', id);
    }
    book.settled('impression', 'req_1', ACCEPTED);
    book.settled('impression', 'req_2', { isAccepted: false, reason: 'expired_token' });
    event('req_2', 422, { status: 'rejected', reason: 'expired_token' });
    expect(counts()).to.include({
      [`${ROW} impressions`]: '1..2',
      [`${ROW} refused expired_token`]: '1',
    });
    expect(book.unsettled).to.equal(1);
  });

  it('counts what an honest phone did although the server suspects it, or gets it too early', () => {
    for (const [id, isHonest] of [
      ['req_1', true],
      ['req_2', false],
    ] as const) {
      fill(id, { ...CALLER, isHonest });
      book.did('impression', id);
      book.did('click', id);
      book.did('reward', id, true);
      book.settled('impression', id, ACCEPTED);
      book.settled('click', id, { isAccepted: false, reason: 'suspicious' });
      book.settled('reward', id, { isAccepted: false, reason: 'no_impression' });
    }
    expect(counts()).to.include({ [`${ROW} clicks`]: '1', [`${ROW} rewards`]: '1' });
  });

  it('counts no click of an ad whose impression came too late', () => {
    fill('req_1');
    for (const [deed, reason] of [
      ['impression', 'expired_token'],
      ['click', 'no_impression'],
    ] as const) {
      book.did(deed, 'req_1');
      book.settled(deed, 'req_1', { isAccepted: false, reason });
    }
    expect(counts()).to.not.have.any.keys(`${ROW} impressions`, `${ROW} clicks`);
  });

  it('keeps the first end of an event that a restored app sends again', () => {
    fill('req_1');
    book.did('impression', 'req_1');
    book.settled('impression', 'req_1', ACCEPTED);
    event('req_1', 409, { status: 'rejected', reason: 'duplicate' });
    book.settled('impression', 'req_1', { isAccepted: false, reason: 'expired_token' });
    expect(counts()).to.include({ [`${ROW} impressions`]: '1', [`${ROW} refused duplicate`]: '1' });
  });

  it('counts a reward only when the ad was seen to its end', () => {
    for (const [id, isFinished] of [
      ['req_1', true],
      ['req_2', false],
    ] as const) {
      fill(id);
      book.did('reward', id, isFinished);
      book.settled('reward', id, ACCEPTED);
    }
    expect(counts()).to.include({ [`${ROW} rewards`]: '1' });
  });

  it('counts no test traffic', () => {
    const tester = { ...CALLER, isTest: true };
    fill('req_1', tester);
    book.did('impression', 'req_1');
    book.settled('impression', 'req_1', ACCEPTED);
    answer('/events/fallback', { placement: 'top', reason: 'error' }, 200, { status: 'accepted' }, tester);
    expect(counts()).to.deep.equal({});
  });

  it('counts the errors that reports count for an app', () => {
    const refusal = { error: { code: 'package_mismatch' } };
    answer('/sdk/initialize', { app_key: 'app_x' }, 403, refusal);
    answer('/events/fallback', { placement: 'top' }, 401, { error: { code: 'session_expired' } });
    expect(counts()).to.deep.equal({ 'app_a error 403.package_mismatch': '1' });
  });

  it('leaves open what the server did with a call that it never answered', () => {
    book.answered(sent('/ads/request', REQUEST), null, nowMs);
    expect(counts()).to.include({ [`${ROW} requests`]: '0..1', [`${ROW} fills`]: '0..1' });
    expect(book.unknownFills('app_a')).to.equal(1);
  });

  it('leaves open the refusals of the last second before an event without an answer', () => {
    fill('req_1');
    event('req_1', 409, { status: 'rejected', reason: 'duplicate' });
    nowMs += 2_000;
    event('req_1', 409, { status: 'rejected', reason: 'duplicate' });
    book.answered(sent('/events/impression', { request_id: 'req_1' }), null, nowMs);
    expect(counts()).to.include({ [`${ROW} refused duplicate`]: '1..3' });
  });
});

describe('the differences between book and report', () => {
  const tally = (least: number, most = least): Tally => {
    const made = new Tally();
    made.add(ROW, 'impressions', least, most);
    return made;
  };

  it('are none where the report has a number that the book allows', () => {
    for (const count of [3, 4, 5]) expect(differencesOf(tally(3, 5), tally(count))).to.deep.equal([]);
  });

  it('are figures that one of both has more of, or alone', () => {
    const difference = { row: ROW, figure: 'impressions' };
    expect(differencesOf(tally(3), tally(4))).to.deep.equal([
      { ...difference, book: { least: 3, most: 3 }, report: 4 },
    ]);
    expect(differencesOf(new Tally(), tally(1))).to.deep.equal([
      { ...difference, book: { least: 0, most: 0 }, report: 1 },
    ]);
    expect(differencesOf(tally(1), new Tally())).to.have.length(1);
  });
});
