import type { CallRecord } from '../io/api.js';
import { element, make } from './elements.js';

/** Lists a finished call, the newest first: path, status and time; its bodies on a click. */
export function listCall({ path, request, status, answer, tookMs }: CallRecord): void {
  const isGood = status !== null && status < 400;
  const details = document.createElement('details');
  const summary = make('summary');
  summary.append(
    make('code', path),
    ' ',
    make('strong', status === null ? 'no answer' : String(status), isGood ? 'good' : 'bad'),
    ` ${Math.round(tookMs)} ms`,
  );
  details.append(summary, json('Request', request), json('Answer', answer));
  const item = make('li');
  item.append(details);
  element('calls', HTMLOListElement).prepend(item);
}

function json(title: string, value: unknown): HTMLElement {
  const part = make('div', title);
  part.append(make('pre', JSON.stringify(value, null, 2)));
  return part;
}
