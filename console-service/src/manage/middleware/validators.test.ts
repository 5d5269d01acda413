import { expect } from 'chai';
import { endpointsOf, type ApiDocument, type ApiOperation } from '../domain/api-document.js';
import { makeCompileValidators, type Validators } from './validators.js';

const NAME = { type: 'string', minLength: 1 };
const OPERATION = {
  operationId: 'changeThing',
  'x-roles': ['admin'],
  parameters: [
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 9 } },
    { name: 'wait', in: 'query', schema: { type: 'boolean' } },
    {
      name: 'kinds',
      in: 'query',
      explode: false,
      schema: { type: 'array', items: { $ref: '#/components/schemas/Kind' } },
    },
  ],
  requestBody: {
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['name'],
          additionalProperties: false,
          properties: {
            name: NAME,
            secret: { type: 'string', minLength: 8, writeOnly: true },
            cap: {
              oneOf: [
                {
                  type: 'object',
                  required: ['count'],
                  properties: { count: { type: 'integer', minimum: 1 } },
                },
                { type: 'null' },
              ],
            },
            places: { type: 'array', items: { $ref: '#/components/schemas/Kind' } },
          },
        },
      },
    },
  },
  responses: { '200': {} },
} as unknown as ApiOperation;
const DOCUMENT = {
  paths: { '/things/{id}': { patch: OPERATION } },
  components: { schemas: { Kind: { type: 'string', enum: ['large', 'small'] } } },
} as ApiDocument;

describe('the validators of an operation', () => {
  let validators: Validators;
  before(() => {
    const [endpoint] = endpointsOf(DOCUMENT);
    validators = makeCompileValidators(DOCUMENT)(endpoint!);
  });
  const queried = (query: Record<string, unknown>) => validators.parameters({ path: { id: 'a' }, query });

  it('read texts of the query as numbers, switches and lists', () => {
    expect(queried({ limit: '3', wait: 'true', kinds: 'large,small' })).to.deep.equal({
      path: { id: 'a' },
      query: { limit: 3, wait: true, kinds: ['large', 'small'] },
    });
  });

  it('name each refused parameter with its value and what is allowed', () => {
    expect(queried({ limit: '10', wait: 'maybe', kinds: 'large,huge' })).to.deep.equal({
      errors: [
        { field: 'limit', value: 10, detail: 'must be <= 9' },
        { field: 'wait', value: 'maybe', detail: 'must be boolean' },
        { field: 'kinds[1]', value: 'huge', detail: 'must be one of large, small' },
      ],
    });
  });

  it('refuse an unknown parameter, and one that is given twice', () => {
    expect(queried({ limt: '3' })).to.deep.equal({
      errors: [{ field: 'limt', detail: 'is not known; choose from limit, wait, kinds' }],
    });
    expect(queried({ limit: ['3', '4'] })).to.deep.equal({
      errors: [{ field: 'limit', detail: 'must be given once' }],
    });
    expect(queried({ kinds: ['large', 'small'] })).to.deep.equal({
      errors: [{ field: 'kinds', detail: 'must be given once' }],
    });
  });

  it('read numbers only as JSON writes them', () => {
    for (const limit of ['0x5', '5e0', '5.0', '+5', ' 5', '05', ''])
      expect(queried({ limit })).to.deep.equal({
        errors: [{ field: 'limit', value: limit, detail: 'must be integer' }],
      });
  });

  it('refuse texts that no body may have', () => {
    const detail = 'must not hold U+0000 or half of a surrogate pair';
    expect(validators.body({ name: '\ud800' })).to.deep.equal([{ field: 'name', detail }]);
  });

  it('name every fault of a body, and convert nothing in it', () => {
    expect(validators.body({ name: 'a', places: ['small'] })).to.deep.equal([]);
    expect(validators.body({ places: ['small', 'huge'], nmae: 'a' })).to.deep.equal([
      { field: 'name', detail: 'is required' },
      { field: 'nmae', detail: 'is not known; choose from name, secret, cap, places' },
      { field: 'places[1]', value: 'huge', detail: 'must be one of large, small' },
    ]);
    expect(validators.body({ name: 7 })).to.deep.equal([
      { field: 'name', value: 7, detail: 'must be string' },
    ]);
    expect(validators.body([])).to.deep.equal([{ field: 'body', detail: 'must be object' }]);
  });

  it('name of an object that may be null only the faults of the object', () => {
    const faultsOf = (cap: unknown) => validators.body({ name: 'a', cap });
    expect(faultsOf(null)).to.deep.equal([]);
    expect(faultsOf({ count: 1 })).to.deep.equal([]);
    expect(faultsOf({ count: 0 })).to.deep.equal([{ field: 'cap.count', value: 0, detail: 'must be >= 1' }]);
    expect(faultsOf({})).to.deep.equal([{ field: 'cap.count', detail: 'is required' }]);
    expect(faultsOf(7)).to.deep.equal([{ field: 'cap', value: 7, detail: 'must be object or null' }]);
  });

  it('repeat neither a secret nor a large value', () => {
    expect(validators.body({ name: 'a', secret: 'short' })).to.deep.equal([
      { field: 'secret', detail: 'must NOT have fewer than 8 characters' },
    ]);
    expect(validators.body({ name: 'a', places: ['x'.repeat(201)] })).to.deep.equal([
      { field: 'places[0]', detail: 'must be one of large, small' },
    ]);
  });
});
