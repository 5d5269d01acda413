import { DEPTH_MAX, NumberText, type RawMap, type RawValue } from './raw-value.js';

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// Raw control characters are forbidden inside JSON strings.
// eslint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f]/;
const TOO_DEEP = `has more than ${DEPTH_MAX} levels of lists and objects`;
const WORDS: readonly (readonly [string, RawValue])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/**
 * What {@link readJson} makes of a text: its value, or what is wrong with it, to stand behind its name. `repeated`: the
 * member that an object has twice; null: something else is wrong.
 */
export type JsonReading =
  { readonly value: RawValue } | { readonly fault: string; readonly repeated: string | null };

class NotJson extends Error {
  constructor(
    readonly fault = 'is not valid JSON',
    readonly repeated: string | null = null,
  ) {
    super(fault);
  }
}

/**
 * Reads JSON up to {@link DEPTH_MAX} levels, in which no object has a member twice. `JSON.parse` would lose the spelling
 * of numbers and repeated members, and would go deeper than what reads its result.
 */
export function readJson(text: string): JsonReading {
  const cursor = new Cursor(text);
  try {
    const value = cursor.value(0);
    if (!cursor.isAtEnd()) throw new NotJson();
    return { value };
  } catch (error) {
    if (error instanceof NotJson) return { fault: error.fault, repeated: error.repeated };
    throw error;
  }
}

/**
 * Reads JSON like {@link readJson}; undefined for other texts, which the YAML reader then judges and explains. The YAML
 * reader takes 40 s for 100,000 campaigns; this one takes one second.
 */
export function parseJson(text: string): RawValue | undefined {
  const read = readJson(text);
  return 'value' in read ? read.value : undefined;
}

class Cursor {
  #at = 0;
  readonly #text: string;
  /** One string for each key, however often it occurs: objects of a kind have the same keys. */
  readonly #keys = new Map<string, string>();

  constructor(text: string) {
    this.#text = text;
    this.#space();
  }

  isAtEnd(): boolean {
    return this.#at === this.#text.length;
  }

  value(depth: number): RawValue {
    const value = this.#bareValue(depth);
    this.#space();
    return value;
  }

  #bareValue(depth: number): RawValue {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#list(depth);
      case '"':
        return this.#string();
      default:
        return this.#wordOrNumber();
    }
  }

  #object(depth: number): RawMap {
    if (depth >= DEPTH_MAX) throw new NotJson(TOO_DEEP);
    const map = new Map<string, RawValue>();
    this.#skip('{');
    while (!this.#take('}')) {
      if (map.size > 0) this.#skip(',');
      const key = this.#key();
      this.#space();
      this.#skip(':');
      if (map.has(key)) throw new NotJson('has a member twice', key);
      map.set(key, this.value(depth + 1));
    }
    return map;
  }

  #list(depth: number): RawValue[] {
    if (depth >= DEPTH_MAX) throw new NotJson(TOO_DEEP);
    const list: RawValue[] = [];
    this.#skip('[');
    while (!this.#take(']')) {
      if (list.length > 0) this.#skip(',');
      list.push(this.value(depth + 1));
    }
    return list;
  }

  #key(): string {
    const key = this.#string();
    const known = this.#keys.get(key);
    if (known !== undefined) return known;
    this.#keys.set(key, key);
    return key;
  }

  #string(): string {
    const start = this.#at;
    if (this.#text[start] !== '"') throw new NotJson();
    const end = this.#endOfString(start);
    this.#at = end + 1;
    const inside = this.#text.slice(start + 1, end);
    if (CONTROL.test(inside)) throw new NotJson();
    return inside.includes('\\') ? unescaped(this.#text.slice(start, end + 1)) : inside;
  }

  /** The place of the closing quote of a string. A regular expression would overflow its stack at megabytes. */
  #endOfString(start: number): number {
    for (let end = this.#text.indexOf('"', start + 1); end !== -1; end = this.#text.indexOf('"', end + 1)) {
      let escapes = 0;
      while (this.#text[end - 1 - escapes] === '\\') escapes += 1;
      if (escapes % 2 === 0) return end;
    }
    throw new NotJson();
  }

  #wordOrNumber(): RawValue {
    for (const [word, value] of WORDS) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return new NumberText(this.#match(NUMBER));
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match === null) throw new NotJson();
    this.#at = pattern.lastIndex;
    return match[0];
  }

  /** Skips a sign and the space after it; false when the sign is not there. */
  #take(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at += 1;
    // The caller of a value skips the space after it. After an opening sign it must be skipped here.
    if (sign !== '}' && sign !== ']') this.#space();
    return true;
  }

  #skip(sign: string): void {
    if (!this.#take(sign)) throw new NotJson();
  }

  #space(): void {
    SPACE.lastIndex = this.#at;
    SPACE.exec(this.#text);
    this.#at = SPACE.lastIndex;
  }
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    throw new NotJson();
  }
}
