import { expect } from 'chai';
import { NumberText } from '../../catalog/domain/raw-value.js';
import { toRawMap } from './raw-body.js';

describe('the values of a body', () => {
  it('are those of a catalog file in JSON', () => {
    const body = { name: 'A', approved: true, width: 320, category: null, countries: ['US'], cap: { n: 1 } };
    expect(toRawMap(body)).to.deep.equal(
      new Map<string, unknown>([
        ['name', 'A'],
        ['approved', true],
        ['width', new NumberText('320')],
        ['category', null],
        ['countries', ['US']],
        ['cap', new Map([['n', new NumberText('1')]])],
      ]),
    );
  });

  it('have no special names', () => {
    const body = JSON.parse('{"__proto__": 1}') as object;
    expect([...toRawMap(body).keys()]).to.deep.equal(['__proto__']);
  });
});
