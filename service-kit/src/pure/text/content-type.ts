const UTF8_NAMES: ReadonlySet<string> = new Set(['utf-8', 'utf8']);

/**
 * Whether a Content-Type names no other charset than UTF-8; undefined: the header is missing. Letter case, spaces, paired
 * quotes and other parameters do not matter.
 */
export function isUtf8Type(header: string | undefined): boolean {
  const [, ...parameters] = (header ?? '').toLowerCase().split(';');
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=').map((part) => part.trim());
    return name !== 'charset' || UTF8_NAMES.has(value.replace(/^"(.*)"$/, '$1'));
  });
}
