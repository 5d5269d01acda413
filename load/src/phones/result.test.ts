import { expect } from 'chai';
import { Book } from './domain/book.js';
import { Tally } from './domain/tally.js';
import { progressLine } from './progress.js';
import { bookLines, compare, resultLines } from './result.js';

const HOUR_MS = 3_600_000;
const CALLER = { app: 'app_a', country: 'DE', isTest: false, isHonest: true };
const ROW = 'app_a/top/DE';
const FILL = { status: 'fill', request_id: 'req_1', ad: { campaign_id: 'cmp_1' } };

function bookWithFill(): Book {
  const book = new Book();
  const sent = { caller: CALLER, path: '/ads/request', body: { app_key: 'app_x', placement: 'top' } };
  book.answered(sent, { status: 200, body: FILL }, 0);
  book.note('sessions');
  return book;
}

function reportOf(requests: number): Tally {
  const report = new Tally();
  report.add(ROW, 'requests', requests);
  report.add(ROW, 'fills', requests);
  report.add('app_a cmp_1', 'fills', requests);
  return report;
}

describe('the result of a fleet', () => {
  it('compares the book with what the reports have gained during the run', () => {
    expect(compare(bookWithFill(), reportOf(4), reportOf(5)).differences).to.deep.equal([]);
    expect(compare(bookWithFill(), reportOf(4), reportOf(6)).differences).to.have.length(3);
  });

  it('allows an unknown campaign to have the fill whose answer never came', () => {
    const book = bookWithFill();
    const sent = { caller: CALLER, path: '/ads/request', body: { app_key: 'app_x', placement: 'top' } };
    book.answered(sent, null, 0);
    for (const requests of [1, 2])
      expect(compare(book, reportOf(0), reportOf(requests)).differences).to.deep.equal([]);
  });

  it('ends with the number of differences, after the figures side by side', () => {
    const book = bookWithFill();
    const lines = resultLines(compare(book, reportOf(0), reportOf(1)), book.remarks);
    expect(lines).to.include("The phones' book beside the report");
    expect(lines.find((line) => line.startsWith('requests'))).to.match(/^requests +1 +1 +0$/);
    expect(lines.find((line) => line.startsWith('app_a/top'))).to.match(/^app_a\/top +1 +1 +0/);
    expect(lines.at(-1)).to.equal('differences 0');
  });

  it('names each figure that differs, with its row', () => {
    const book = bookWithFill();
    const lines = resultLines(compare(book, reportOf(0), reportOf(3)), book.remarks);
    expect(lines).to.include(`${ROW}: requests: book 1, report 3`);
    expect(lines.find((line) => line.startsWith('requests'))).to.match(/\+2$/);
    expect(lines.at(-1)).to.equal('differences 3');
  });
});

describe('the book of a fleet without a report', () => {
  it('has each figure and what happened on the way', () => {
    const lines = bookLines(bookWithFill());
    expect(lines.find((line) => line.startsWith('requests'))).to.match(/^requests +1$/);
    expect(lines.at(-1)).to.equal('On the way: 1 session.');
  });
});

describe('the progress of a fleet', () => {
  it("is one line with the phones' time and what they have done", () => {
    const state = { phoneMs: 13.5 * HOUR_MS, inUse: 7, isDraining: false };
    expect(progressLine(state, bookWithFill().tally())).to.equal(
      'phones: hour 13, 01:30 UTC, 7 phones in use, 1 request, 0 impressions',
    );
  });

  it('has both bounds of the requests when answers are missing', () => {
    const book = bookWithFill();
    const sent = { caller: CALLER, path: '/ads/request', body: { app_key: 'app_x', placement: 'top' } };
    book.answered(sent, null, 0);
    const line = progressLine({ phoneMs: 0, inUse: 1, isDraining: false }, book.tally());
    expect(line).to.contain('1 phone in use, 0 to 2 requests, ');
  });
});
