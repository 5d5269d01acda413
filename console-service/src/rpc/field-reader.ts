import type { StoredObject } from '../domain/catalog-object.js';
import type { FieldValue } from '../domain/field-types.js';

/** Reads an object's stored fields by type. The store holds only what was validated, so another type is our own fault. */
export class FieldReader {
  readonly #object: StoredObject;

  constructor(object: StoredObject) {
    this.#object = object;
  }

  /** Null: not set. */
  value(name: string): FieldValue {
    return this.#object.fields[name] ?? null;
  }

  flag(name: string): boolean {
    const value = this.value(name);
    return typeof value === 'boolean' ? value : this.#fail(name);
  }

  text(name: string): string {
    return this.textOrNone(name) ?? this.#fail(name);
  }

  textOrNone(name: string): string | undefined {
    const value = this.value(name);
    if (value === null) return undefined;
    return typeof value === 'string' ? value : this.#fail(name);
  }

  number(name: string): number {
    return this.numberOrNone(name) ?? this.#fail(name);
  }

  numberOrNone(name: string): number | undefined {
    const value = this.value(name);
    if (value === null) return undefined;
    return typeof value === 'number' ? value : this.#fail(name);
  }

  texts(name: string): string[] {
    return this.#list(name).map(String);
  }

  numbers(name: string): number[] {
    return this.#list(name).map(Number);
  }

  #list(name: string): readonly (string | number)[] {
    const value = this.value(name);
    return Array.isArray(value) ? (value as readonly (string | number)[]) : this.#fail(name);
  }

  #fail(name: string): never {
    throw new Error(`the stored ${this.#object.kind} ${this.#object.id} has no valid ${name}`);
  }
}
