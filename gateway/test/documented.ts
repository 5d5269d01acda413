import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { ApiDescription, Body } from '../src/domain/api-description.js';

/** The OpenAPI document as it is in the repository. */
export const description = parse(
  readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'),
) as ApiDescription;

const ajv = new Ajv2020({ allowUnionTypes: true, strict: false });
addFormats.default(ajv);
ajv.addSchema({ $id: 'openapi', components: { schemas: description.components.schemas } });
const compiled = new Map<string, ValidateFunction>();

/** Expects that the document has this status for the path's POST, and that the body matches its schema. */
export function expectDocumented(
  path: string,
  answer: { readonly status: number; readonly json: unknown },
): void {
  const operation = description.paths[path.replace(/^\/v1/, '')]?.post;
  if (operation === undefined) return;
  const response = operation.responses[String(answer.status)];
  expect(response, `${answer.status} of ${path} is not in the document`).not.to.equal(undefined);
  const validate = validatorOf(response as Body);
  expect(validate(answer.json), `${path} ${answer.status}: ${ajv.errorsText(validate.errors)}`).to.equal(
    true,
  );
}

/** Validates a value against a schema of the document, given in place. */
export function validatorFor(schema: object): ValidateFunction {
  const key = JSON.stringify(schema).replaceAll('#/components', 'openapi#/components');
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const made = ajv.compile(JSON.parse(key) as object);
  compiled.set(key, made);
  return made;
}

function validatorOf(given: Body): ValidateFunction {
  const name = given.$ref?.split('/').pop();
  const body = name === undefined ? given : description.components.responses[name];
  return validatorFor(body?.content?.['application/json'].schema ?? {});
}
