import type { Faults } from '../domain/faults.js';
import { parseJson } from '../domain/json-text.js';
import type { RawValue } from '../domain/raw-value.js';
import { readYaml } from './read-yaml.js';

/**
 * Reads the text of a catalog file, JSON or YAML 1.2 of any size, and keeps the spelling of numbers. An unreadable text
 * adds a fault and gives null. Contract: docs/catalog-file.md#what-is-refused.
 */
export function readText(text: string, faults: Faults): RawValue {
  const content = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const json = parseJson(content);
  return json === undefined ? readYaml(content, faults) : json;
}
