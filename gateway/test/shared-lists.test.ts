import {
  AD_FORMATS,
  CAP_PERIODS,
  CREATIVE_TYPES,
  FALLBACK_PROVIDERS,
  FALLBACK_REASONS,
  NO_FILL_REASONS,
  REJECTION_REASONS,
} from '@placard/service-kit/pure';
import { expect } from 'chai';
import { REFINING_TEXTS } from '../src/sdk/domain/bodies.js';
import { description } from './documented.js';

/** Every list of words in the document, with the list of the services. Null may be an additional value. */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  AdFormat: AD_FORMATS,
  FallbackProvider: FALLBACK_PROVIDERS,
  'PlacementConfig.frequency_cap_period': CAP_PERIODS,
  'Ad.creative_type': CREATIVE_TYPES,
  'NoFill.reason': NO_FILL_REASONS,
  'Rejection.reason': REJECTION_REASONS,
  'FallbackEvent.reason': FALLBACK_REASONS,
};
/** Lists that only the gateway has. */
const OWN = ['ErrorEnvelope.error.code', 'InitializeRequest.platform'];

function enumsIn(schema: unknown, path: string): [path: string, words: unknown[]][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const own: [string, unknown[]][] =
    'enum' in schema && Array.isArray(schema.enum) ? [[path, schema.enum]] : [];
  const members = Object.entries(schema).flatMap(([name, member]) =>
    enumsIn(member, name === 'properties' ? path : `${path}.${name}`),
  );
  return [...own, ...members];
}

describe('the OpenAPI document', () => {
  const enums = new Map(
    Object.entries(description.components.schemas).flatMap(([name, schema]) => enumsIn(schema, name)),
  );

  it('has no other lists of words than those that services share and those of the gateway', () => {
    expect([...enums.keys()]).to.have.members([...Object.keys(LISTS), ...OWN]);
  });

  for (const [path, words] of Object.entries(LISTS)) {
    it(`has the same list as the services at ${path}`, () => {
      expect(enums.get(path)?.filter((word) => word !== null)).to.deep.equal([...words]);
    });
  }

  it('has every refining text as an optional field of an ad request', () => {
    const { properties, required } = description.components.schemas['AdRequest'] as {
      readonly properties: Readonly<Record<string, { readonly type: unknown }>>;
      readonly required: readonly string[];
    };
    for (const name of REFINING_TEXTS) {
      expect(properties[name]?.type, name).to.deep.equal(['string', 'null']);
      expect(required).not.to.include(name);
    }
  });
});
