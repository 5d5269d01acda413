import { chromium, type Browser } from 'playwright-core';
import { environmentOf, findTool, type Tool } from '../driver/tool.js';

const HOW =
  'The browser tests need Chromium, and none was found. Install it (Debian: apt-get install chromium; Fedora: dnf install ' +
  'chromium) so that chromium is on the PATH.';

/** No name leads out of this machine: what a page loads from other hosts is answered by the tests. */
const ONLY_THIS_MACHINE = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost';

/** Finds Chromium. Rejects with a sentence that says how to get one. */
export function findChromium(): Promise<Tool> {
  return findTool({
    names: ['chromium', 'chromium-browser', 'google-chrome'],
    debian: { name: 'chromium', file: 'usr/lib/chromium/chromium', needsLibraries: true },
    how: HOW,
  });
}

/** Starts a Chromium without a window. */
export function openChromium(tool: Tool): Promise<Browser> {
  return chromium.launch({
    executablePath: tool.file,
    env: environmentOf(tool),
    // Chromium refuses its sandbox to root.
    chromiumSandbox: process.getuid?.() !== 0,
    args: [ONLY_THIS_MACHINE, '--disable-quic'],
  });
}
