import { gatewayUrlOf } from '@placard/console-service/cli/instance.js';
import { messageOf } from '@placard/service-kit/errors';
import type { AppEntry } from '../market/market.js';
import { amount } from './domain/amount.js';
import { Book } from './domain/book.js';
import { runFleet, type FleetOptions } from './fleet.js';
import { HELP, parsePhonesOptions, type PhonesOptions } from './options.js';
import { Progress, type Screen } from './progress.js';
import { readApps, readReports, untilCounted, type Instance } from './reports.js';
import { bookLines, compare, resultLines, type Comparison } from './result.js';
import { hasAnswer, watchInstance } from './watch.js';

/** Input and output of the command. */
export interface PhonesIo {
  readonly env: NodeJS.ProcessEnv;
  readonly screen: Screen;
  readonly err: (text: string) => void;
  /** Aborted when the day is to end early. */
  readonly stopping: AbortSignal;
}

const EXIT_USAGE = 2;
const START_AGAIN = 'Start it again with `npm start`, and then the phones.';

/** Runs the command; returns the exit status: 0 when book and report agree. */
export async function runPhones(argv: readonly string[], io: PhonesIo): Promise<number> {
  const say = (text: string): unknown => io.screen.write(`${text}\n`);
  if (argv.includes('--help')) {
    say(HELP);
    return 0;
  }
  let options: PhonesOptions;
  try {
    options = parsePhonesOptions(argv);
  } catch (error) {
    io.err(`${messageOf(error)}\n`);
    return EXIT_USAGE;
  }
  try {
    const { dataDir } = options;
    const instance = { io: { env: io.env, out: say, err: io.err }, dataDir };
    const baseUrl = `${gatewayUrlOf(dataDir)}/v1`;
    const apps = await readApps(instance);
    const { sessions, hours, speed } = options;
    say(
      `${amount(sessions, 'phones')}, ${amount(hours, 'hours')} at speed ${speed}: ${realTime(options)}. Ctrl-C ends the day early.`,
    );
    const { lines, status } = await live(options, { instance, apps, baseUrl }, io);
    for (const line of lines) say(line);
    return status;
  } catch (error) {
    io.err(`phones: ${messageOf(error)}\n`);
    if (error instanceof NoReport) for (const line of ['', ...bookLines(error.book)]) say(line);
    return 1;
  }
}

/** Where phones live. */
export interface Place {
  readonly instance: Instance;
  readonly apps: readonly AppEntry[];
  /** With the version segment. */
  readonly baseUrl: string;
}

/** What a fleet has left. */
export interface Outcome {
  readonly comparison: Comparison;
  readonly remarks: Book['remarks'];
  /** For a person. */
  readonly lines: readonly string[];
  /** Exit status: 0 when book and report agree and the instance's books add up. */
  readonly status: number;
}

/** The instance was gone before the end. The phones' book is all that is left. */
export class NoReport extends Error {
  override readonly name = 'NoReport';
  readonly book: Book;

  constructor(message: string, book: Book, options?: ErrorOptions) {
    super(message, options);
    this.book = book;
  }
}

/**
 * Lets a fleet live its day, and compares its book with the reports of before and after. Throws a {@link NoReport} when the
 * instance no longer answers meanwhile.
 */
export async function live(
  options: FleetOptions,
  { instance, apps, baseUrl }: Place,
  { screen, stopping }: Pick<PhonesIo, 'screen' | 'stopping'>,
): Promise<Outcome> {
  if (apps.length === 0)
    throw new Error('the catalog has no app that gets ads: npx placard catalog apply FILE');
  const names = new Set(apps.map(({ id }) => id));
  const book = new Book();
  const progress = new Progress(screen);
  const readEnd = async () => ({
    fault: await untilCounted(instance),
    after: await readReports(instance, names, fromMs),
  });
  await untilCounted(instance);
  const fromMs = Date.now();
  const before = await readReports(instance, names, fromMs);
  const watch = watchInstance(() => hasAnswer(baseUrl));
  await runFleet(options, {
    baseUrl,
    apps,
    book,
    stopping,
    lost: watch.lost,
    onProgress: (state) => progress.show(state, book.tally()),
  }).finally(() => watch.close());
  progress.end();
  if (watch.lost.aborted) {
    const { origin } = new URL(baseUrl);
    throw new NoReport(`the instance at ${origin} no longer answers. ${START_AGAIN}`, book);
  }
  const { fault, after } = await readEnd().catch((error: unknown) => {
    const text = `the report cannot be read: ${messageOf(error)}`;
    throw new NoReport(text, book, { cause: error });
  });
  const comparison = compare(book, before, after);
  const { unsettled } = book;
  const faults = [
    ...(fault === null ? [] : [fault]),
    ...(unsettled === 0
      ? []
      : [
          `Without a final answer: ${amount(unsettled, 'events')} of ads, lost or not sent within a minute after the day.`,
        ]),
  ];
  const isGood = faults.length === 0 && comparison.differences.length === 0;
  return {
    comparison,
    remarks: book.remarks,
    lines: [...faults, '', ...resultLines(comparison, book.remarks)],
    status: isGood ? 0 : 1,
  };
}

const HOUR_MINUTES = 60;

function realTime({ hours, speed }: FleetOptions): string {
  const minutes = (hours * HOUR_MINUTES) / speed;
  return minutes < 1 ? 'less than a minute' : `about ${amount(Math.round(minutes), 'minutes')}`;
}
