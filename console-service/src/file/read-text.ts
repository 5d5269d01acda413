import { parseDocument, type ScalarTag, type Tags, type YAMLError } from 'yaml';
import type { Faults } from '../domain/faults.js';
import { parseJson } from '../domain/json-text.js';
import { NumberText, type RawValue } from '../domain/raw-value.js';

/** Most uses of one YAML anchor, so that a small file cannot unfold into a huge one. */
const ALIASES_MAX = 100;
const YAML_VERSION = '1.2';
const DECIMAL = /^[-+.\d]+(?:e[-+]?\d+)?$/i;
/** One broken bracket can break all that follows: more than this is noise. */
const PROBLEMS_MAX = 20;

/**
 * Reads the text of a catalog file, YAML 1.2 or JSON, without losing how a number was written. What cannot be read is
 * added to `faults`, and null returned. YAML takes seconds per 10 MB, so that a server bounds it with `yamlCharsMax`.
 * Specification: The catalog file, "What is refused".
 */
export function readText(text: string, faults: Faults, yamlCharsMax = Infinity): RawValue {
  const json = parseJson(text);
  if (json !== undefined) return json;
  if (text.length > yamlCharsMax) {
    faults.add('', `is YAML of more than ${yamlCharsMax} characters; send it as JSON`);
    return null;
  }
  try {
    return readYaml(text, faults);
  } catch (error) {
    faults.add('', `cannot be read: ${firstLine(error instanceof Error ? error.message : String(error))}`);
    return null;
  }
}

function readYaml(text: string, faults: Faults): RawValue {
  const document = parseDocument(text, {
    version: YAML_VERSION,
    customTags: keepNumberTexts,
    uniqueKeys: true,
    merge: false,
    prettyErrors: true,
    stringKeys: true,
  });
  const version = document.directives.yaml;
  if (version.explicit === true && version.version !== YAML_VERSION) {
    faults.add('', `is YAML ${version.version}; it must be YAML ${YAML_VERSION}`);
  }
  for (const problem of [...document.errors, ...document.warnings].slice(0, PROBLEMS_MAX)) {
    faults.add('', problemText(problem));
  }
  if (!faults.isEmpty()) return null;
  return document.toJS({ mapAsMap: true, maxAliasCount: ALIASES_MAX }) as RawValue;
}

function problemText({ code, message }: YAMLError): string {
  if (code === 'MULTIPLE_DOCS') {
    return 'holds more than one YAML document; write all of it as one, without a line --- in its middle';
  }
  return `is not valid YAML ${YAML_VERSION}: ${firstLine(message)}`;
}

/** Numbers become their own text, in decimal; hexadecimal, octal, infinite ones as JavaScript writes them. */
function keepNumberTexts(tags: Tags): Tags {
  return tags.map((tag) => {
    const isNumber = typeof tag === 'object' && /:(int|float)$/.test(tag.tag);
    if (!isNumber || !('resolve' in tag)) return tag;
    const numberTag = tag as ScalarTag;
    const resolve: ScalarTag['resolve'] = (text, onError, options) =>
      new NumberText(DECIMAL.test(text) ? text : String(numberTag.resolve(text, onError, options)));
    return { ...numberTag, resolve };
  });
}

function firstLine(message: string): string {
  return (message.split('\n')[0] ?? '').replace(/:$/, '');
}
