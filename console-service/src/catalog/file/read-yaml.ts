import { CORE_SCHEMA, load, Type, YAMLException } from 'js-yaml';
import type { Faults } from '../domain/faults.js';
import { DEPTH_MAX, NumberText, type RawValue } from '../domain/raw-value.js';

const YAML_VERSION = '1.2';
/** Most characters and values, in sum, that written-out aliases may add to a file. */
const ALIAS_GROWTH_MAX = 10_000_000;
/** Longest explanation of a fault. It can quote a tag or an anchor of any length. */
const REASON_CHARS_MAX = 200;
/** More digits than any number in hexadecimal or octal needs here. */
const BASED_CHARS_MAX = 20;
const DECIMAL = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?$/;
const BASED = /^0(?:o[0-7]+|x[\da-fA-F]+)$/;
const NO_NUMBER = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;
/** The library's fault for a bracket that is closed in the column of its key. It is allowed: most people write it so. */
const ALLOWED = 'deficient indentation';

/**
 * Reads YAML 1.2 and keeps the spelling of numbers. Its time depends on the length of the text alone. An unreadable text
 * adds a fault and gives null.
 */
export function readYaml(text: string, faults: Faults): RawValue {
  try {
    const version = versionOf(text);
    if (version !== YAML_VERSION) {
      faults.add('', `is YAML ${shortened(version)}; it must be YAML ${YAML_VERSION}`);
      return null;
    }
    const content = load(text, {
      schema: SCHEMA,
      maxDepth: DEPTH_MAX,
      onWarning: (warning) => {
        if (warning.reason !== ALLOWED) faults.add('', problemText(warning));
      },
    });
    return faults.isEmpty() ? new Unfolding(text.length + ALIAS_GROWTH_MAX).value(content, 0) : null;
  } catch (error) {
    faults.add('', problemText(error));
    return null;
  }
}

/** The version in a %YAML directive. Only blank lines, comments and other directives may precede it. */
function versionOf(text: string): string {
  const head = /^(?:[ \t]*(?:[#%].*)?\r?\n)*/.exec(text)?.[0] ?? '';
  return /^%YAML[ \t]+(\S+)/m.exec(head)?.[1] ?? YAML_VERSION;
}

function problemText(error: unknown): string {
  if (error instanceof TooManyAliases) {
    return 'has aliases that refer to each other too often; write out their values';
  }
  if (!(error instanceof YAMLException)) {
    return `cannot be read: ${shortened(error instanceof Error ? error.message : String(error))}`;
  }
  const { reason, mark } = error;
  if (reason.startsWith('expected a single document')) {
    return 'holds more than one YAML document; write one document, without a line --- in its middle';
  }
  return `is not valid YAML ${YAML_VERSION}: ${shortened(reason)} at line ${mark.line + 1}, column ${mark.column + 1}`;
}

function shortened(reason: string): string {
  return reason.length > REASON_CHARS_MAX ? `${reason.slice(0, REASON_CHARS_MAX)}…` : reason;
}

class TooManyAliases extends Error {}

/** Converts the library's values to raw values and writes out all aliases, within bounds. */
class Unfolding {
  #left: number;

  constructor(sizeMax: number) {
    this.#left = sizeMax;
  }

  value(content: unknown, depth: number): RawValue {
    this.#take(typeof content === 'string' ? content.length : 1);
    if (content === null || content === undefined) return null;
    if (typeof content !== 'object' || content instanceof NumberText) return content as RawValue;
    // Text cannot nest this deep, so an alias contains itself.
    if (depth > DEPTH_MAX) throw new TooManyAliases();
    if (Array.isArray(content)) return content.map((item) => this.value(item, depth + 1));
    const map = new Map<string, RawValue>();
    for (const [key, member] of Object.entries(content)) {
      this.#take(key.length);
      map.set(key, this.value(member, depth + 1));
    }
    return map;
  }

  #take(size: number): void {
    this.#left -= size;
    if (this.#left < 0) throw new TooManyAliases();
  }
}

function isNumber(text: unknown): boolean {
  return typeof text === 'string' && (DECIMAL.test(text) || BASED.test(text) || NO_NUMBER.test(text));
}

/** A decimal number keeps its text; hexadecimal and octal become decimal; infinite ones are no valid numbers. */
function toNumberText(text: string): NumberText {
  const isLong = text.length > BASED_CHARS_MAX;
  return new NumberText(BASED.test(text) && !isLong ? BigInt(text).toString() : text);
}

const numberTypes = ['int', 'float'].map(
  (name) =>
    new Type(`tag:yaml.org,2002:${name}`, { kind: 'scalar', resolve: isNumber, construct: toNumberText }),
);

const SCHEMA = CORE_SCHEMA.extend({ implicit: numberTypes });
