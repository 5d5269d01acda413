import type { Command } from 'commander';
import { CommandError } from './command-error.js';

const ROWS_DEFAULT = 100;
const ROWS_MAX = 1_000;

/** The options of a command that shows one page of a long list. */
export interface PageOptions {
  readonly limit: number;
  readonly cursor?: string;
}

/** Adds `--limit` and `--cursor` to a command. */
export function addPageOptions(command: Command): Command {
  return command
    .option('--limit <rows>', `most rows, up to ${ROWS_MAX}`, readLimit, ROWS_DEFAULT)
    .option('--cursor <cursor>', 'only rows behind the page that ended with this next_cursor');
}

/** The page as parameters of the query. */
export function pageQuery({ limit, cursor }: PageOptions): { limit: number; cursor?: string } {
  return cursor === undefined ? { limit } : { limit, cursor };
}

/** The line below a table that has more pages; empty when it has none. */
export function morePages(next: string | null): string {
  return next === null ? '' : `There are older rows. Add --cursor ${next} to see them.\n`;
}

function readLimit(text: string): number {
  const rows = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (rows >= 1 && rows <= ROWS_MAX) return rows;
  throw new CommandError(`--limit is ${text} and must be a whole number from 1 to ${ROWS_MAX}.`);
}
