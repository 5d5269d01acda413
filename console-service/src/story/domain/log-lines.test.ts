import { expect } from 'chai';
import { linesAbout, mayNameRequest, readLogLine } from './log-lines.js';

const AD = `req_${'0a'.repeat(16)}`;
const EVENT = `req_${'0b'.repeat(16)}`;
const OTHER = `req_${'0c'.repeat(16)}`;

function line(second: number, fields: object): string {
  const time = `2026-11-29T10:00:0${second}.000Z`;
  return JSON.stringify({ level: 20, time, name: 'gateway', msg: 'answered', ...fields });
}

describe('a log line', () => {
  it('is read with its time, process, level, message and all other fields', () => {
    const fields = { requestId: AD, status: 200 };
    const read = { time: '2026-11-29T10:00:01.000Z', name: 'gateway', level: 20, msg: 'answered', fields };
    expect(readLogLine(line(1, fields))).to.deep.equal(read);
    expect(readLogLine(`[pod/gateway-1/gateway] ${line(1, fields)}`)).to.deep.equal(read);
  });

  it('is not any other text', () => {
    for (const text of [
      '',
      'READY',
      '{',
      '[]',
      '{"a":1}',
      'null',
      line(1, { time: 7 }),
      line(1, { name: 1 }),
    ])
      expect(readLogLine(text), text).to.equal(null);
  });

  it('is looked at only when it may name a request', () => {
    expect(mayNameRequest(line(1, { requestId: AD }))).to.equal(true);
    expect(mayNameRequest(line(1, { adRequestId: AD }))).to.equal(true);
    expect(mayNameRequest(line(1, { status: 200 }))).to.equal(false);
  });
});

describe('the log lines about a request', () => {
  const about = (id: string, ...texts: readonly string[]) =>
    linesAbout(
      id,
      texts.map(readLogLine).filter((each) => each !== null),
    ).map(({ time, fields }) => [time.slice(18, 19), fields['requestId']]);

  it('are its own, in the order of time', () => {
    const texts = [line(3, { requestId: AD }), line(1, { requestId: AD }), line(2, { requestId: OTHER })];
    expect(about(AD, ...texts)).to.deep.equal([
      ['1', AD],
      ['3', AD],
    ]);
  });

  it('are also all lines of requests that report an event of its ad', () => {
    const texts = [
      line(1, { requestId: EVENT }),
      line(2, { requestId: EVENT, adRequestId: AD }),
      line(3, { adRequestId: AD }),
      line(4, { requestId: OTHER, adRequestId: OTHER }),
    ];
    expect(about(AD, ...texts)).to.deep.equal([
      ['1', EVENT],
      ['2', EVENT],
      ['3', undefined],
    ]);
  });

  it('are not those of calls that serve several requests', () => {
    const texts = [line(1, { requestId: '-', adRequestId: AD }), line(2, { requestId: '-' })];
    expect(about(AD, ...texts)).to.deep.equal([['1', '-']]);
  });
});
