import type { CatalogObject } from '@placard/protos/catalog/v1/catalog.js';
import { expect } from 'chai';
import {
  testAdvertiser,
  testApp,
  testCampaign,
  testCreative,
  testPlacement,
  testPublisher,
} from '../testing/index.js';
import { nameFromWire, objectFromWire, objectToWire } from './wire.js';

/** A value of a newer release, in any enum. */
const NEWER = 999;

/** Each field of the catalog with a closed list of values, as a newer release may send it. */
const NEWER_FIELDS: readonly (readonly [kind: string, object: CatalogObject, change: object])[] = [
  ['placement', placement(), { format: NEWER }],
  ['placement', placement(), { fallbackProvider: NEWER }],
  ['placement', placement(), { frequencyCap: { count: 1, period: NEWER } }],
  ['campaign', campaign(), { status: NEWER }],
  ['campaign', campaign(), { pacing: NEWER }],
  ['campaign', campaign(), { formats: [1, NEWER] }],
  ['campaign', campaign(), { frequencyCap: { count: 1, period: NEWER } }],
  ['creative', creative(), { format: NEWER }],
  ['creative', creative(), { type: NEWER }],
];

function placement(): CatalogObject {
  return objectToWire({ kind: 'placement', value: testPlacement() });
}

function campaign(): CatalogObject {
  return objectToWire({ kind: 'campaign', value: testCampaign() });
}

function creative(): CatalogObject {
  return objectToWire({ kind: 'creative', value: testCreative() });
}

describe('a catalog object on the wire', () => {
  const objects = [
    { kind: 'global', value: { isServingEnabled: false } },
    { kind: 'publisher', value: testPublisher() },
    { kind: 'app', value: testApp() },
    { kind: 'placement', value: testPlacement() },
    { kind: 'advertiser', value: testAdvertiser() },
    { kind: 'campaign', value: testCampaign() },
    { kind: 'creative', value: testCreative() },
  ] as const;
  for (const object of objects) {
    it(`is the same after it was written and read: ${object.kind}`, () => {
      expect(objectFromWire(objectToWire(object))).to.deep.equal({ isKnown: true, object });
    });
  }

  // Contract: docs/contract/newer-values.md#between-services.
  for (const [kind, object, change] of NEWER_FIELDS) {
    it(`of a newer release is unknown but has its name: ${kind} with ${JSON.stringify(change)}`, () => {
      expect(objectFromWire(object)).to.have.property('isKnown', true);
      Object.assign(object.object!.value, change);
      expect(objectFromWire(object))
        .to.deep.include({ isKnown: false })
        .and.have.nested.property('name.kind', kind);
    });
  }

  it('of a kind of a newer release is unknown and has no name, deleted or not', () => {
    expect(objectFromWire({ object: undefined })).to.deep.equal({ isKnown: false, name: null });
    expect(nameFromWire({ kind: NEWER as never, id: 'x' })).to.equal(null);
  });
});
