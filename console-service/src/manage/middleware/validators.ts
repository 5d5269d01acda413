import { Ajv2020, type AnySchema, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { type ApiDocument, type Endpoint, type Parameter } from '../domain/api-document.js';
import type { FieldError } from '../domain/operations.js';
import { fieldName, textFaults } from '../domain/text-faults.js';

/** The parameters of a request by their place. */
export interface Parameters {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Compiled schemas of one operation. */
export interface Validators {
  /** Reads parameters as the document says: texts become numbers and lists. */
  readonly parameters: (given: Parameters) => Parameters | { readonly errors: readonly FieldError[] };
  /** The faults of a JSON body. */
  readonly body: (body: unknown) => readonly FieldError[];
}

/** Compiles the schemas of one operation. */
export type CompileValidators = (endpoint: Endpoint) => Validators;

const DOCUMENT = 'document';
/** Longest value that an answer repeats, in characters. */
const VALUE_CHARS_MAX = 200;

/** Prepares the schemas of a document, which refer to each other by their path in it. */
export function makeCompileValidators(document: ApiDocument): CompileValidators {
  const ajv = openAjv(document);
  return (endpoint) => {
    const { bodyPointer, parameters, requestType } = endpoint;
    const path = ajv.compile(schemaOf(parameters, 'path'));
    const query = ajv.compile(schemaOf(parameters, 'query'));
    const isJson = requestType === 'application/json' && bodyPointer !== null;
    const body = isJson ? ajv.compile({ $ref: `${DOCUMENT}${bodyPointer}` }) : null;
    return {
      parameters: (given) => {
        const repeated = Object.keys(given.query).filter((name) => Array.isArray(given.query[name]));
        if (repeated.length > 0)
          return { errors: repeated.map((field) => ({ field, detail: 'must be given once' })) };
        const read = { path: given.path, query: readQuery(given.query, parameters) };
        const errors = [...faultsOf(path, read.path), ...faultsOf(query, read.query)];
        return errors.length === 0 ? read : { errors };
      },
      body: (value) => {
        if (body === null) return [];
        const unreadable = textFaults(value);
        return unreadable.length > 0 ? unreadable : faultsOf(body, value);
      },
    };
  };
}

function openAjv(document: ApiDocument): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    allowUnionTypes: true,
    ownProperties: true,
    verbose: true,
    // The document itself is no schema.
    strictSchema: false,
  });
  addFormats.default(ajv);
  ajv.addSchema(document, DOCUMENT);
  return ajv;
}

function schemaOf(parameters: readonly Parameter[], place: Parameter['in']): AnySchema {
  const own = parameters.filter((parameter) => parameter.in === place);
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema }) => [name, inDocument(schema)])),
    required: own.filter(({ required }) => required === true).map(({ name }) => name),
    additionalProperties: false,
  };
}

/** The same schema outside of the document. */
function inDocument(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(inDocument);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([name, member]) => [
      name,
      name === '$ref' && typeof member === 'string' ? `${DOCUMENT}${member}` : inDocument(member),
    ]),
  );
}

/** An integer as JSON writes it. */
const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** Reads each text as its schema says. A text that cannot be read stays a text, which the schema refuses. */
function readQuery(
  query: Readonly<Record<string, unknown>>,
  parameters: readonly Parameter[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const parameter = parameters.find((each) => each.in === 'query' && each.name === name);
      return [name, typeof value === 'string' ? readText(value, parameter) : value];
    }),
  );
}

function readText(text: string, parameter: Parameter | undefined): unknown {
  if (parameter?.explode === false) return text.split(',');
  const type = parameter?.schema['type'];
  if (type === 'integer' && INTEGER.test(text)) return Number(text);
  return type === 'boolean' && (text === 'true' || text === 'false') ? text === 'true' : text;
}

function faultsOf(validate: ValidateFunction, value: unknown): readonly FieldError[] {
  if (validate(value)) return [];
  const errors = validate.errors ?? [];
  const nullable = new Set(errors.filter(isOfNullable).map(({ instancePath }) => instancePath));
  return errors
    .filter((error) => isShown(error, nullable))
    .map((error) => toFieldError(orNull(error, nullable)));
}

/** Whether a value was refused by both alternatives of a schema that is another one or null. */
function isOfNullable({ keyword, schema }: ErrorObject): boolean {
  return keyword === 'oneOf' && Array.isArray(schema) && schema.length === 2 && schema.some(isNullSchema);
}

function isNullSchema(schema: { readonly type?: unknown }): boolean {
  return schema.type === 'null';
}

/** The faults inside of alternatives explain the one that is shown. Those of the alternative null explain nothing. */
function isShown(error: ErrorObject, nullable: ReadonlySet<string>): boolean {
  if (error.keyword === 'if' || isOfNullable(error)) return false;
  return !(nullable.has(error.instancePath) && error.keyword === 'type' && isNullSchema(error.params));
}

/** Says of a value of the wrong type that null is allowed too. */
function orNull(error: ErrorObject, nullable: ReadonlySet<string>): ErrorObject {
  if (error.keyword !== 'type' || !nullable.has(error.instancePath)) return error;
  return { ...error, message: `${error.message} or null` };
}

function toFieldError(error: ErrorObject): FieldError {
  const field = fieldOf(error);
  const detail = detailOf(error);
  return isShowable(error) ? { field, value: error.data, detail } : { field, detail };
}

/** The place of a fault: `amount`, `targeting.countries[0]`; `body` for the body as a whole. */
function fieldOf({ instancePath, keyword, params }: ErrorObject): string {
  const names = instancePath.split('/').slice(1);
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Record<
    string,
    string | undefined
  >;
  const own = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  if (own !== undefined && keyword !== 'dependentRequired') names.push(own);
  return fieldName(names.map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')));
}

function detailOf({ keyword, params, message = 'is not valid', parentSchema }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties' || keyword === 'unevaluatedProperties') {
    const known = Object.keys((parentSchema?.['properties'] ?? {}) as object);
    return known.length === 0
      ? 'is not known; there is none'
      : `is not known; choose from ${known.join(', ')}`;
  }
  if (keyword === 'enum') {
    return `must be one of ${(params as { readonly allowedValues: readonly unknown[] }).allowedValues.join(', ')}`;
  }
  return message;
}

/** A secret is never repeated, and neither is a large value. */
function isShowable({ data, keyword, parentSchema }: ErrorObject): boolean {
  if (keyword === 'required' || keyword === 'additionalProperties' || keyword === 'unevaluatedProperties')
    return false;
  if (parentSchema?.['writeOnly'] === true) return false;
  return typeof data === 'string' ? data.length <= VALUE_CHARS_MAX : typeof data !== 'object';
}
