// Plain JavaScript, since `npm start` reads its arguments before anything is installed or built.

/** Node puts it where an argument or a variable is not UTF-8, so that what was meant is not known. */
const REPLACEMENT = '\ufffd';
const ADVICE = 'Type it in a terminal that writes UTF-8 (such as LANG=C.UTF-8).';

/** @param {string} text */
export function unreadableFault(text) {
  const at = Array.from(text).indexOf(REPLACEMENT);
  return at < 0 ? null : `is not UTF-8 at its character ${at + 1}`;
}

/** @param {readonly string[]} argv */
export function unreadableArgument(argv) {
  for (const [index, argument] of argv.entries()) {
    const fault = unreadableFault(argument);
    if (fault !== null) return `${index + 1} ${fault}. ${ADVICE}`;
  }
  return null;
}
