import { Ajv2020 } from 'ajv/dist/2020.js';
import type { ApiDescription } from '../../domain/api-description.js';
import type { Fields } from '../../domain/answer.js';
import { fieldFaults } from '../domain/field-faults.js';

/** All faults of a body by field; null when it is valid. */
export type Validate = (body: Readonly<Record<string, unknown>>) => Fields | null;

/** Validators by operation. */
export type Validators = ReadonlyMap<string, Validate>;

const DOCUMENT = 'openapi';

/**
 * Compiles the request schemas of the OpenAPI document once at start, so that the published schemas are checked. Types
 * are never coerced, lengths count code points, and all faults are listed. Contract: docs/contract/requests.md#types,
 * docs/contract/requests.md#length-of-texts, docs/contract/requests.md#several-invalid-fields.
 */
export function compileValidators(description: ApiDescription): Validators {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, ownProperties: true, verbose: true });
  // The schemas refer to each other by their path in the document.
  ajv.addVocabulary(['components']);
  ajv.addSchema({ $id: DOCUMENT, components: { schemas: description.components.schemas } });
  const validators = new Map<string, Validate>();
  for (const { post } of Object.values(description.paths)) {
    const check = ajv.compile({ $ref: `${DOCUMENT}${requestSchemaRef(description, post)}` });
    validators.set(post.operationId, (body) => (check(body) ? null : fieldFaults(check.errors ?? [])));
  }
  return validators;
}

/** The `#/components/schemas/…` of an operation's request, through a shared request body if it has one. */
function requestSchemaRef(
  description: ApiDescription,
  operation: ApiDescription['paths'][string]['post'],
): string {
  const named = operation.requestBody.$ref?.split('/').pop();
  const body = named === undefined ? operation.requestBody : description.components.requestBodies[named];
  const ref = body?.content?.['application/json'].schema.$ref;
  if (ref === undefined) throw new Error(`the request of ${operation.operationId} has no schema`);
  return ref;
}
