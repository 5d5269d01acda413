// Loads the modules of the page. A gateway that is busy refuses pages first, and without one of its modules the page would be
// dead. So it is loaded again, a few times. Contract: docs/contract/failures.md#overload.
import { element } from './elements.js';

/** How often the page was loaded again without success. */
const TRIES_ITEM = 'placard.try.tries';
const TRIES_MAX = 5;
const PAUSE_MS = 2_000;

import('./page.js').then(
  () => sessionStorage.removeItem(TRIES_ITEM),
  (error: unknown) => {
    const tries = Number(sessionStorage.getItem(TRIES_ITEM) ?? 0);
    const isLast = tries >= TRIES_MAX;
    element('outcome', HTMLParagraphElement).textContent = isLast
      ? `The page could not be loaded: ${String(error)}`
      : 'The server is busy. The page is loaded again …';
    if (isLast) return;
    sessionStorage.setItem(TRIES_ITEM, String(tries + 1));
    setTimeout(() => location.reload(), PAUSE_MS);
  },
);
