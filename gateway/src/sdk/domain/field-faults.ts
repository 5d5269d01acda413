/** A fault of the schema validator: the used part of an error of ajv. */
export interface SchemaFault {
  readonly keyword: string;
  /** JSON pointer of the value, `/screen_width`. */
  readonly instancePath: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The value itself. It is checked but never shown. */
  readonly data?: unknown;
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
};

/**
 * All faults by field, in words. A value of the wrong type has only that fault. No value is ever repeated.
 * Contract: docs/contract/sdk-api.md#error-envelope, docs/contract/requests.md#several-invalid-fields.
 */
export function fieldFaults(faults: readonly SchemaFault[]): Record<string, string[]> {
  const fields = new Map<string, string[]>();
  const ofWrongType = new Set(faults.filter((fault) => fault.keyword === 'type').map(fieldOf));
  for (const fault of faults) {
    const field = fieldOf(fault);
    if (fault.keyword !== 'type' && ofWrongType.has(field)) continue;
    fields.set(field, [...(fields.get(field) ?? []), messageOf(fault)]);
  }
  return Object.fromEntries(fields);
}

function fieldOf(fault: SchemaFault): string {
  if (fault.keyword === 'required') return String(fault.params['missingProperty']);
  return fault.instancePath.slice(1);
}

function messageOf(fault: SchemaFault): string {
  const { keyword, params } = fault;
  const limit = Number(params['limit']);
  switch (keyword) {
    case 'required':
      return 'is required';
    case 'type':
      return typeMessage(fault);
    case 'minLength':
      return 'must not be empty';
    case 'maxLength':
      return `must have at most ${limit} characters`;
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'enum':
      return enumMessage(params['allowedValues']);
    default:
      return 'is not valid';
  }
}

function typeMessage(fault: SchemaFault): string {
  if (fault.data === null) return 'must not be null';
  const wanted = [fault.params['type']].flat().find((type) => type !== 'null');
  return `must be ${TYPE_NAMES[String(wanted)] ?? 'of another type'}`;
}

function enumMessage(allowed: unknown): string {
  const values = (Array.isArray(allowed) ? allowed : []).filter((value) => value !== null).map(String);
  return values.length === 1 ? `must be ${values.join('')}` : `must be one of: ${values.join(', ')}`;
}
