import { HOUR_MS, MINUTE_MS } from '@placard/service-kit/pure';
import { amount } from './domain/amount.js';
import { FIRST_HOUR } from './domain/day.js';
import type { Tally } from './domain/tally.js';
import type { FleetState } from './fleet.js';

const HOURS = 24;
/** One line a second on a terminal, where it replaces the last one; elsewhere one of so many. */
const LINES_KEPT = 10;

/** Where progress is shown. */
export interface Screen {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Shows the state of a fleet, one line at a time. */
export class Progress {
  readonly #screen: Screen;
  #count = 0;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Shows a state. */
  show(state: FleetState, tally: Tally): void {
    const line = progressLine(state, tally);
    if (this.#screen.isTTY === true) this.#screen.write(`\r${line}\u001b[K`);
    else if (this.#count % LINES_KEPT === 0) this.#screen.write(`${line}\n`);
    this.#count += 1;
  }

  /** Ends the line on a terminal. */
  end(): void {
    if (this.#screen.isTTY === true && this.#count > 0) this.#screen.write('\n');
  }
}

/** A state in one line. */
export function progressLine({ phoneMs, inUse, isDraining }: FleetState, tally: Tally): string {
  const [hours, minutes] = [Math.floor(phoneMs / HOUR_MS), Math.floor((phoneMs % HOUR_MS) / MINUTE_MS)];
  const time = `${padded((FIRST_HOUR + hours) % HOURS)}:${padded(minutes)} UTC`;
  const requests = { least: 0, most: 0 };
  let impressions = 0;
  for (const { row, figure, count } of tally.entries()) {
    if (!row.includes('/')) continue;
    // Without an answer it is not known whether the server has counted a request.
    if (figure === 'requests') {
      requests.least += count.least;
      requests.most += count.most;
    }
    // One that is on its way is not counted yet.
    if (figure === 'impressions') impressions += count.least;
  }
  const what = isDraining ? 'sending what waits' : amount(inUse, 'phones in use');
  const sums = `${amount(requests, 'requests')}, ${amount(impressions, 'impressions')}`;
  return `phones: hour ${hours}, ${time}, ${what}, ${sums}`;
}

function padded(count: number): string {
  return String(count).padStart(2, '0');
}
