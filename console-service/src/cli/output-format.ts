import { Option } from 'commander';

/** How a command prints what it shows. */
export type OutputFormat = 'table' | 'json' | 'csv';

/** The option `--format` of a command. Default: a table. */
export function formatOption(): Option {
  return new Option('--format <format>', 'output').choices(['table', 'json', 'csv']).default('table');
}

/** A value in a format. JSON is the value itself; `as` writes the others. */
export function inFormat<Value>(
  value: Value,
  format: OutputFormat,
  as: { readonly table: (value: Value) => string; readonly csv: (value: Value) => string },
): string {
  return format === 'json' ? `${JSON.stringify(value, null, 2)}\n` : as[format](value);
}
