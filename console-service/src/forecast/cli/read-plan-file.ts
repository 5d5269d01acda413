import { inputName, readInput } from '../../catalog/cli/read-input.js';
import { Faults } from '../../catalog/domain/faults.js';
import { isRawMap, toJson } from '../../catalog/domain/raw-value.js';
import { readText } from '../../catalog/file/read-text.js';
import { CommandError } from '../../cli/command-error.js';
import type { components } from '../../../gen/manage-api.js';

type Plan = components['schemas']['Plan'];

/**
 * Reads the file of a planned campaign, YAML or JSON; `-` is standard input. Numbers keep their spelling and become texts,
 * as amounts are in the management API, which judges the content. Throws a CommandError when the file cannot be read or is
 * no mapping.
 */
export async function readPlanFile(file: string): Promise<Plan> {
  const text = await readInput(file);
  const name = inputName(file);
  const faults = new Faults();
  const content = readText(text, faults);
  if (!faults.isEmpty()) throw new CommandError(`${name}: ${faults.list().join('; ')}`);
  if (!isRawMap(content)) {
    throw new CommandError(`${name} must be a mapping with bid_cpm, such as "bid_cpm: 2.50".`);
  }
  return toJson(content, String) as Plan;
}
