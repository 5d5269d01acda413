/** The element of the page with this id. Throws when the page has none of the type: then script and page do not fit. */
export function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (found instanceof type) return found;
  throw new Error(`the page has no ${type.name} #${id}`);
}

/** Creates an element with text. */
export function make(tag: string, text = '', className = ''): HTMLElement {
  const made = document.createElement(tag);
  made.textContent = text;
  if (className !== '') made.className = className;
  return made;
}

/** The trimmed text of an input; undefined when it is blank. */
export function typed(id: string): string | undefined {
  const text = element(id, HTMLInputElement).value.trim();
  return text === '' ? undefined : text;
}
