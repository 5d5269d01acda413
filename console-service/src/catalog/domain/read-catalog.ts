import { objectId, objectKey } from './catalog-object.js';
import type { Faults } from './faults.js';
import type { FieldValue } from './field-types.js';
import { GLOBAL_ID, KINDS, TOP_KINDS, type FieldSpec, type KindSpec, type ObjectKind } from './kinds.js';
import { isRawList, isRawMap, type RawMap, type RawValue } from './raw-value.js';

/** An object that a catalog file names, with the values that the file gives. */
export interface NamedObject {
  readonly kind: ObjectKind;
  readonly id: string;
  readonly parentId: string | null;
  /** Its path in the file, such as `publishers[0].apps[2]`. */
  readonly path: string;
  /** Normalized fields that the file gives. An explicit null is replaced by the field's default. */
  readonly given: ReadonlyMap<string, FieldValue>;
  /** Fields of the file with a reported fault. */
  readonly faulty: ReadonlySet<string>;
  /** Kinds of children that the file lists here, including empty lists. */
  readonly sections: ReadonlySet<ObjectKind>;
}

/** The content of a catalog file. */
export interface CatalogFile {
  /** Parents before their children. */
  readonly objects: readonly NamedObject[];
  /** Top sections that the file has. */
  readonly sections: ReadonlySet<ObjectKind>;
}

/**
 * Reads a catalog file's content and checks everything that needs no stored objects: shape, types, bounds, unknown keys
 * and repeated ids. `planApply` checks the rest.
 * Contract: docs/catalog-file.md#what-is-refused.
 */
export function readCatalog(raw: RawValue, faults: Faults): CatalogFile {
  const reader = new Reader(faults);
  reader.file(raw);
  return { objects: reader.objects, sections: reader.sections };
}

/** An object that is read without a file around it. */
export interface LooseObject {
  readonly kind: ObjectKind;
  /** Null for a kind at the top. */
  readonly parentId: string | null;
  /** Its id or code, and fields. */
  readonly raw: RawMap;
}

/** Reads one object as {@link readCatalog} does. Its path is its kind. No objects: its id or code is wrong or missing. */
export function readObject(object: LooseObject, faults: Faults): readonly NamedObject[] {
  const reader = new Reader(faults);
  reader.one(object);
  return reader.objects;
}

/** The empty set of sections. Most objects have no children and share it. */
export const NO_KINDS: ReadonlySet<ObjectKind> = new Set();
/** The empty set of faulty fields, shared by all objects without a fault. */
export const NO_FIELDS: ReadonlySet<string> = new Set();

interface Place {
  readonly path: string;
  readonly parentId: string | null;
}

class Reader {
  readonly objects: NamedObject[] = [];
  readonly sections = new Set<ObjectKind>();
  readonly #faults: Faults;
  readonly #paths = new Map<string, string>();

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  file(raw: RawValue): void {
    if (!isRawMap(raw)) {
      this.#faults.add('', 'must be a mapping with global, publishers and advertisers');
      return;
    }
    const rest = new Map(raw);
    const settings = take(rest, 'global');
    if (settings !== undefined) this.#global(settings);
    for (const kind of TOP_KINDS) {
      if (this.#section(kind, rest, { path: '', parentId: null })) this.sections.add(kind);
    }
    this.#refuseUnknown(rest, '');
  }

  one({ kind, parentId, raw }: LooseObject): void {
    if (kind === 'global') this.#global(raw);
    else this.#object(KINDS[kind], raw, { path: kind, parentId });
  }

  #global(raw: RawValue): void {
    if (!isRawMap(raw)) {
      this.#faults.add('global', 'must be a mapping');
      return;
    }
    const rest = new Map(raw);
    const fields = this.#fields(KINDS.global, rest, 'global');
    this.#refuseUnknown(rest, 'global');
    this.objects.push({
      kind: 'global',
      id: GLOBAL_ID,
      parentId: null,
      path: 'global',
      ...fields,
      sections: new Set(),
    });
  }

  /** Takes the list of one kind out of `rest` and reads it; false when the file does not have it. */
  #section(kind: ObjectKind, rest: Map<string, RawValue>, place: Place): boolean {
    const name = KINDS[kind].section ?? '';
    const raw = take(rest, name);
    if (raw === undefined) return false;
    const path = join(place.path, name);
    if (!isRawList(raw)) {
      this.#faults.add(path, 'must be a list; write [] for none or leave it out');
      return false;
    }
    raw.forEach((item, index) => this.#object(KINDS[kind], item, { ...place, path: `${path}[${index}]` }));
    return true;
  }

  #object(spec: KindSpec, raw: RawValue, place: Place): void {
    const { path } = place;
    if (!isRawMap(raw)) {
      this.#faults.add(path, `must be a mapping that describes one ${spec.kind}`);
      return;
    }
    const rest = new Map(raw);
    const ownId = this.#ownId(spec, take(rest, spec.idField), path);
    const id = objectId(spec.kind, ownId ?? '', place.parentId);
    const fields = this.#fields(spec, rest, path);
    const childSections = new Set<ObjectKind>();
    const sections = spec.children.length === 0 ? NO_KINDS : childSections;
    const named = { kind: spec.kind, id, parentId: place.parentId, path, ...fields, sections };
    if (ownId !== undefined && this.#isFirst(spec, named)) this.objects.push(named);
    for (const child of spec.children) {
      if (this.#section(child, rest, { path, parentId: id })) childSections.add(child);
    }
    this.#refuseUnknown(rest, path);
  }

  #ownId(spec: KindSpec, raw: RawValue | undefined, path: string): string | undefined {
    const at = join(path, spec.idField);
    if (raw === undefined) {
      this.#faults.add(at, 'is required');
      return undefined;
    }
    const value = spec.idType(raw, (message) => this.#faults.add(at, message));
    return typeof value === 'string' ? value : undefined;
  }

  #isFirst(spec: KindSpec, named: NamedObject): boolean {
    const key = objectKey(named.kind, named.id);
    const first = this.#paths.get(key);
    if (first === undefined) {
      this.#paths.set(key, named.path);
      return true;
    }
    this.#faults.add(join(named.path, spec.idField), `repeats the ${named.kind} of ${first}`);
    return false;
  }

  #fields(spec: KindSpec, rest: Map<string, RawValue>, path: string): Pick<NamedObject, 'given' | 'faulty'> {
    const given = new Map<string, FieldValue>();
    let faulty = NO_FIELDS;
    this.#openTargeting(spec, rest, path);
    for (const field of spec.fields) {
      const raw = take(rest, field.name);
      if (raw === undefined) continue;
      const value = this.#field(field, raw, join(path, field.name));
      if (value === undefined) faulty = new Set([...faulty, field.name]);
      else given.set(field.name, value);
    }
    return { given, faulty };
  }

  #field(field: FieldSpec, raw: RawValue, path: string): FieldValue | undefined {
    if (raw !== null) {
      return field.type(raw, (message, subPath) => this.#faults.add(`${path}${subPath ?? ''}`, message));
    }
    if (field.fallback === undefined) this.#faults.add(path, 'is required and cannot be cleared');
    return field.fallback;
  }

  /** Splits the mapping `targeting` into separate fields, so that each list is kept or cleared separately. */
  #openTargeting(spec: KindSpec, rest: Map<string, RawValue>, path: string): void {
    const lists = spec.fields.filter((field) => field.name.startsWith('targeting.'));
    if (lists.length === 0) return;
    const raw = take(rest, 'targeting');
    if (raw === undefined) return;
    if (raw === null) for (const field of lists) rest.set(field.name, null);
    else if (isRawMap(raw)) for (const [key, value] of raw) rest.set(`targeting.${key}`, value);
    else this.#faults.add(join(path, 'targeting'), 'must be a mapping');
  }

  #refuseUnknown(rest: RawMap, path: string): void {
    for (const key of rest.keys()) this.#faults.add(join(path, key), 'unknown key');
  }
}

function take(map: Map<string, RawValue>, key: string): RawValue | undefined {
  const value = map.get(key);
  map.delete(key);
  return value;
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
