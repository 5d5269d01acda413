import { expect } from 'chai';
import { readAnswer } from './read-answer.js';

const answerOf = (text: string) => {
  const answer = readAnswer(Buffer.from(text, 'latin1'));
  return answer === null ? null : { ...answer, body: answer.body.toString('latin1') };
};

describe('an answer on a connection', () => {
  const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX-Other: 1\r\n\r\nfill';
  const CHUNKED =
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nno_\r\n4;x=1\r\nfill\r\n0\r\n\r\n';
  const plain = { status: 200, retryAfter: null, isGzip: false, isLast: false };

  it('has its status and a body of the stated length', () => {
    expect(answerOf(ANSWER)).to.deep.equal({ ...plain, body: 'fill' });
  });

  it('may come in chunks', () => {
    expect(answerOf(CHUNKED)).to.deep.equal({ ...plain, body: 'no_fill' });
  });

  for (const [name, text] of Object.entries({ ANSWER, CHUNKED })) {
    it(`is complete only with its last byte (${name.toLowerCase()})`, () => {
      for (let length = 0; length < text.length; length += 1)
        expect(answerOf(text.slice(0, length)), String(length)).to.equal(null);
    });
  }

  it('says when to come again, whether it is compressed and whether it is the last one', () => {
    const head = 'Retry-After: 2\r\nContent-Encoding: gzip\r\nConnection: close\r\nContent-Length: 0';
    expect(answerOf(`HTTP/1.1 500 Internal Server Error\r\n${head}\r\n\r\n`)).to.deep.equal({
      status: 500,
      retryAfter: '2',
      isGzip: true,
      isLast: true,
      body: '',
    });
  });

  for (const [text, fault] of [
    ['SSH-2.0-OpenSSH\r\n\r\n', 'not HTTP'],
    ['HTTP/1.1 200 OK\r\n\r\nfill', 'no length'],
    ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n', 'not a chunk'],
  ] as const) {
    it(`is refused: ${fault}`, () => {
      expect(() => answerOf(text)).to.throw(Error, fault);
    });
  }
});
