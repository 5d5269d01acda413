const UNRELEASED = '## Unreleased';

/**
 * Makes the unreleased entries the section of a version, and adds an empty unreleased section. `date` as `YYYY-MM-DD`.
 * Throws when there is nothing to release.
 */
export function releaseChangelog(text: string, version: string, date: string): string {
  const start = text.indexOf(`${UNRELEASED}\n`);
  if (start < 0) throw new Error(`CHANGELOG.md has no section "${UNRELEASED}"`);
  const bodyStart = start + UNRELEASED.length;
  const next = text.indexOf('\n## ', bodyStart);
  const body = text.slice(bodyStart, next < 0 ? text.length : next).trim();
  if (body === '') throw new Error('CHANGELOG.md has no unreleased entries; write the changes first');
  const rest = next < 0 ? '' : `\n${text.slice(next)}`;
  return `${text.slice(0, start)}${UNRELEASED}\n\n## ${version} – ${date}\n\n${body}\n${rest.replace(/^\n\n/, '\n')}`;
}
