import { expect } from 'chai';
import { endToEnd, hasBody, isPlainlyFramed } from './http-headers.js';

describe('headers of a message', () => {
  it('are passed on, except hop-by-hop headers and those that Connection names', () => {
    const passed = endToEnd({
      connection: 'X-A , x-b,close',
      'keep-alive': 'timeout=5',
      'x-a': '1',
      'x-b': '2',
      'x-c': '3',
      'set-cookie': ['a=1', 'b=2'],
      te: 'gzip',
      expect: '100-continue',
      absent: undefined,
    });
    expect(passed).to.deep.equal({ 'x-c': '3', 'set-cookie': ['a=1', 'b=2'] });
  });

  it('show whether a body follows', () => {
    for (const headers of [{}, { 'content-length': '0' }, { 'content-length': '000' }])
      expect(hasBody(headers)).to.equal(false);
    for (const headers of [
      { 'content-length': '1' },
      { 'transfer-encoding': '' },
      { 'content-length': ['7'] },
    ])
      expect(hasBody(headers)).to.equal(true);
  });

  it('have a plain framing only with a length, or with chunks of HTTP/1.1 alone', () => {
    expect(isPlainlyFramed({ 'content-length': '5' }, '1.0')).to.equal(true);
    expect(isPlainlyFramed({ 'transfer-encoding': ' Chunked' }, '1.1')).to.equal(true);
    expect(isPlainlyFramed({ 'transfer-encoding': 'chunked' }, '1.0')).to.equal(false);
    for (const coding of ['gzip, chunked', 'chunked, chunked', 'identity', ''])
      expect(isPlainlyFramed({ 'transfer-encoding': coding }, '1.1'), coding).to.equal(false);
  });
});
