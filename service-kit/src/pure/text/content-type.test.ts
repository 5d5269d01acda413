import { expect } from 'chai';
import { isUtf8Type } from './content-type.js';

describe('the charset of a Content-Type', () => {
  for (const header of [
    undefined,
    'application/json',
    'application/json;charset=utf8',
    'APPLICATION/JSON; Charset = "UTF-8"; version=1',
  ])
    it(`is UTF-8 in ${header ?? 'a missing one'}`, () => expect(isUtf8Type(header)).to.equal(true));

  for (const header of [
    'application/json; charset=utf-16',
    'application/json; charset',
    'application/json; charset="utf-8',
    'application/yaml; charset=utf-8; charset=latin1',
  ])
    it(`is another in ${header}`, () => expect(isUtf8Type(header)).to.equal(false));
});
