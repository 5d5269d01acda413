/** A command of a document with the lines that it prints. */
export interface ShownCommand {
  readonly kind: 'command';
  /** The arguments of `placard`. */
  readonly args: readonly string[];
  readonly output: readonly string[];
}

/** A catalog file that a document shows. */
export interface ShownFile {
  readonly kind: 'file';
  readonly name: string;
  readonly text: string;
}

/** What a document does next. `phones`: phones ask for ads. */
export type Step = ShownCommand | ShownFile | { readonly kind: 'phones' };

/** A chapter of a document: what stands below one of its headings. */
export interface Chapter {
  readonly title: string;
  readonly steps: readonly Step[];
}

const STEP = /^```(console|yaml)\n(.*?)^```$|^<!-- phones -->$/gms;
const PROMPT = '$ npx placard ';
/** The first line of a shown file is its name. */
const NAME = /^# (\S+)\n/;
/** An argument, in double quotes when it has blanks. */
const ARGUMENT = /"([^"]*)"|(\S+)/g;

/** The chapters of a Markdown document that have steps, in their order. */
export function chaptersOf(markdown: string): readonly Chapter[] {
  return markdown
    .split(/^## /m)
    .map((text) => ({ title: text.slice(0, text.indexOf('\n')), steps: stepsOf(text) }))
    .filter(({ steps }) => steps.length > 0);
}

function stepsOf(text: string): readonly Step[] {
  return [...text.matchAll(STEP)].flatMap(([, language, body = '']): readonly Step[] => {
    if (language === undefined) return [{ kind: 'phones' }];
    if (language === 'console') return commandsOf(body);
    return [{ kind: 'file', name: NAME.exec(body)?.[1] ?? 'catalog.yaml', text: body }];
  });
}

function commandsOf(block: string): readonly ShownCommand[] {
  return block
    .split(PROMPT)
    .slice(1)
    .map((text): ShownCommand => {
      const [command = '', ...output] = text.trimEnd().split('\n');
      const args = [...command.matchAll(ARGUMENT)].map(([, quoted, bare]) => quoted ?? bare ?? '');
      return { kind: 'command', args, output };
    });
}

/** Pieces of a line that stand for something else: any text, the number of a version, and any blanks between columns. */
const PIECE = /(…|\(version \d+\)| {2,})/;

/** What output must match: `…` is any text, alone in a line any lines. Each version is a group. */
export function patternOf(output: readonly string[]): RegExp {
  const lines = output.map((line) => (line === '…' ? '(?:.*\\n)*?' : `${linePattern(line)}\\n`));
  return new RegExp(`^${lines.join('')}$`);
}

/** The numbers of the versions in shown output, in the order of the groups of its pattern. */
export function versionsIn(output: readonly string[]): readonly string[] {
  return output.flatMap((line) =>
    [...line.matchAll(/\(version (\d+)\)/g)].map(([, version = '']) => version),
  );
}

function linePattern(line: string): string {
  return line
    .split(PIECE)
    .map((piece) => {
      if (piece === '…') return '.*';
      if (piece.startsWith('(version ')) return '\\(version (\\d+)\\)';
      return /^ {2,}$/.test(piece) ? ' +' : piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
}
