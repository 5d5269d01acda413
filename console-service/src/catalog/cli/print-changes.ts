import { CommandFailed } from '../../cli/command-error.js';
import type { CommandIo } from '../../cli/session.js';
import { toLines } from '../../cli/to-lines.js';
import type { Schemas } from '../../manage/domain/operations.js';

/** Prints what was changed, or would be, with its notes and warnings, and a summary. */
export function printChanges(io: CommandIo, applied: Schemas['Applied'], isDryRun = false): void {
  const { changes, notes, warnings, version } = applied;
  const lines = changes.flatMap((change) => [
    `${change.change} ${change.kind} ${change.id}`,
    ...change.details.map((detail) => `  ${detail}`),
  ]);
  lines.push(...notes.map((note) => `note: ${note}`), ...warnings.map((warning) => `warning: ${warning}`));
  const summary = summaryOf(changes);
  if (changes.length === 0) lines.push(`nothing changed (version ${version})`);
  else lines.push(isDryRun ? `dry run, nothing changed: ${summary}` : `${summary} (version ${version})`);
  io.out(toLines(...lines));
}

/** Prints why a change is refused, one line for each reason. Always throws, for the exit status. */
export function refuse(
  io: CommandIo,
  { detail, errors = [] }: Pick<Schemas['Problem'], 'detail' | 'errors'>,
): never {
  io.err(toLines(...errors.map((error) => `${error.field}: ${error.detail}`), `placard: ${detail}`));
  throw new CommandFailed();
}

function summaryOf(changes: readonly Schemas['Change'][]): string {
  const count = (action: string): number => changes.filter(({ change }) => change === action).length;
  return `${count('created')} created, ${count('updated')} updated, ${count('removed')} removed`;
}
