import { expect } from 'chai';
import { contentTypeFault } from './content-type.js';
import { parseJsonBody } from './json-body.js';

describe('the content type', () => {
  const accepted = [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF8',
    'application/json ; charset = "utf-8" ;',
    'application/json; profile=x',
  ];
  for (const header of accepted) {
    it(`${header} is accepted`, () => {
      expect(contentTypeFault(header)).to.equal(null);
    });
  }
  const refused = [
    undefined,
    '',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/vnd.api+json',
    'multipart/form-data; boundary=x',
  ];
  for (const header of refused) {
    it(`${String(header)} is refused`, () => {
      expect(contentTypeFault(header)).to.match(/application\/json/);
    });
  }
  for (const charset of ['iso-8859-1', '', '"utf-8', 'x"utf-8"', '"utf-8"x']) {
    it(`the charset ${charset || 'without a name'} is refused`, () => {
      for (const equals of ['=', ' = '])
        expect(contentTypeFault(`application/json; charset${equals}${charset}`)).to.match(/UTF-8/);
    });
  }
});

describe('the JSON body', () => {
  const bytes = (text: string) => Buffer.from(text);
  it('is an empty object for no bytes, and for a byte-order mark alone', () => {
    expect(parseJsonBody(bytes(''))).to.deep.equal({ value: {} });
    expect(parseJsonBody(bytes('\ufeff'))).to.deep.equal({ value: {} });
  });
  it('may begin with one byte-order mark, not with two', () => {
    expect(parseJsonBody(bytes('\ufeff{"a":1}'))).to.deep.equal({ value: { a: 1 } });
    expect(parseJsonBody(bytes('\ufeff\ufeff{"a":1}'))).to.have.property('fault');
  });
  it('has the last value of equal keys', () => {
    expect(parseJsonBody(bytes('{"a":1,"a":2}'))).to.deep.equal({ value: { a: 2 } });
  });
  it('treats __proto__ as an ordinary key, which changes no prototype', () => {
    const body = parseJsonBody(bytes('{"__proto__":{"app_key":"x"}}')) as { value: object };
    expect(Object.getPrototypeOf(body.value)).to.equal(Object.prototype);
    expect('app_key' in body.value).to.equal(false);
  });
  for (const text of ['null', 'true', '[]', '"x"', '5', '1e999']) {
    it(`${text} is no object`, () => {
      expect(parseJsonBody(bytes(text))).to.deep.equal({ fault: 'must be a JSON object' });
    });
  }
  for (const text of ['{', '{"a":}', "{'a':1}", '{"a":1,}', 'NaN', '['.repeat(10_000)]) {
    it(`${text.slice(0, 12)} is no JSON`, () => {
      expect(parseJsonBody(bytes(text))).to.deep.equal({ fault: 'must be valid JSON' });
    });
  }
  it('has a fault for invalid UTF-8, and the next body is read correctly', () => {
    expect(parseJsonBody(Buffer.from([0x7b, 0xc3, 0x28]))).to.deep.equal({ fault: 'must be valid UTF-8' });
    expect(parseJsonBody(bytes('{}'))).to.deep.equal({ value: {} });
  });
});
