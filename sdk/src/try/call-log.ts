import type { CallRecord } from '../io/api.js';
import { element, make } from './elements.js';

/** Calls that are listed. Older ones are dropped, because a banner goes on for hours. */
const LISTED_MAX = 100;

/** Lists a finished call, the newest first: time, path, status and result; its bodies when it is opened. */
export function listCall(call: CallRecord): void {
  const { path, request, status, answer, tookMs } = call;
  const isGood = status !== null && status < 400;
  const details = document.createElement('details');
  const summary = make('summary');
  summary.append(
    make('time', new Date().toLocaleTimeString('en-GB')),
    ' ',
    make('code', path),
    ' ',
    make('strong', status === null ? 'no answer' : String(status), isGood ? 'good' : 'bad'),
    ` ${Math.round(tookMs)} ms `,
    make('span', resultOf(answer), 'result'),
  );
  details.append(summary, json('Request', request), json('Answer', answer));
  const item = make('li');
  item.append(details);
  const calls = element('calls', HTMLOListElement);
  calls.prepend(item);
  while (calls.childElementCount > LISTED_MAX) calls.lastElementChild?.remove();
  element('no-calls', HTMLParagraphElement).hidden = true;
}

/** Members of answers that say what came of a call. */
interface AnyAnswer {
  readonly error?: { readonly code?: string };
  readonly status?: string;
  readonly reason?: string;
  readonly placements?: readonly unknown[];
  readonly ad?: { readonly creative_id?: string };
}

/** What came of a call, in a few words; empty when its answer says nothing. */
function resultOf(answer: unknown): string {
  const { error, status, reason, placements, ad } = (answer ?? {}) as AnyAnswer;
  if (placements !== undefined) return `placements: ${placements.length}`;
  return [error?.code, status, reason, ad?.creative_id].filter((word) => word !== undefined).join(' ');
}

function json(title: string, value: unknown): HTMLElement {
  const part = make('div', title);
  part.append(make('pre', JSON.stringify(value, null, 2)));
  return part;
}
