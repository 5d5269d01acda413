import { element, make } from './elements.js';
import type { Explanation } from './operator.js';

/** Shows how each campaign would be judged now, or a text in its place. Null: removes it. */
export function showExplanation(explanation: Explanation | string | null): void {
  const place = element('explanation', HTMLDivElement);
  place.replaceChildren();
  if (explanation === null) return;
  if (typeof explanation === 'string') {
    place.append(make('p', explanation));
    return;
  }
  const { result, candidates } = explanation;
  const table = make('table');
  table.append(make('caption', `A first request of a new session would now be: ${result}`));
  table.append(row('th', ['campaign', 'lost at', 'why']));
  for (const { campaign, lost_at, why } of candidates)
    table.append(row('td', [campaign, lost_at ?? '–', why]));
  place.append(table);
}

function row(cell: 'th' | 'td', texts: readonly string[]): HTMLElement {
  const made = make('tr');
  made.append(...texts.map((text) => make(cell, text)));
  return made;
}
