// Runs on any installed Node.js, so it uses nothing newer than ES modules.

/**
 * Whether a version is in the root package's `engines`: 20.19 or newer 20.x, 22.13 or newer 22.x, 24 and above.
 * @param {string} version as in `process.versions.node`
 */
export function isSupportedNode(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major === 20) return minor >= 19;
  if (major === 22) return minor >= 13;
  return major >= 24;
}

/** Description of the supported versions. */
export const SUPPORTED_NODE = 'Node.js 24 or newer, 22.13 or newer 22.x, or 20.19 or newer 20.x';

/** Ends the process with one sentence when this Node.js is too old. */
export function requireSupportedNode() {
  if (isSupportedNode(process.versions.node)) return;
  console.error(
    'Placard needs ' +
      SUPPORTED_NODE +
      '; this is ' +
      process.versions.node +
      '. Install a newer one from https://nodejs.org and run the same command again.',
  );
  process.exit(1);
}
