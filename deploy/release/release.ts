// `npm run release`: see HELP.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { replaceFile } from '../../service-kit/src/files/replace-file.js';
import { releaseChangelog } from './changelog.js';
import { changedImages } from './changed-images.js';
import { git, run, snapshotAt, snapshotOfTree } from './repository.js';
import {
  compareVersions,
  lockWithVersion,
  toJsonText,
  withVersion,
  type Lock,
  type Manifest,
} from './versions.js';

const HELP = `Makes a release of main.

Usage: npm run release -- X.Y.Z [--dry-run] [--tests-passed]

  X.Y.Z           the version, higher than the last one
  --dry-run       shows the release and the changed images; checks the version, the changelog and the tree, runs no
                  tests and writes nothing
  --tests-passed  the long tests (npm run test:all) have passed on this very commit; without it they are run
  --help          this text

Checks everything (npm run check: the contracts against the last release too), gives all packages the version, makes the
changelog's section, records the commit and the contracts in deploy/release/release.json and protos/release.binpb, commits
and tags vX.Y.Z. Pushing is left to you. Nothing is written when a check fails.`;

const SEE_HELP = 'See: npm run release -- --help';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const RELEASE_FILE = 'deploy/release/release.json';
const REASONS_SHOWN_MAX = 3;

/** Content of the release file. */
interface Recorded {
  readonly version: string;
  readonly commit: string;
}

/** A release that can be made. */
interface Plan {
  readonly version: string;
  readonly commit: string;
  readonly changelog: string;
  /** One line for each image. */
  readonly images: readonly string[];
}

const read = (file: string): string => readFileSync(path.join(ROOT, file), 'utf8');
const write = (file: string, text: string): void => replaceFile(path.join(ROOT, file), text);
const say = (text: string): void => void process.stdout.write(`${text}\n`);

try {
  main();
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        'dry-run': { type: 'boolean', default: false },
        'tests-passed': { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
      allowPositionals: true,
    });
  } catch (error) {
    const [what = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s|\n/);
    throw new Error(`${what}. ${SEE_HELP}`, { cause: error });
  }
}

function main(): void {
  const { values, positionals } = readArguments();
  if (values.help) {
    say(HELP);
    return;
  }
  const [version, ...others] = positionals;
  if (version === undefined || others.length > 0) throw new Error(`name one version. ${SEE_HELP}`);
  const plan = planRelease(version);
  for (const line of plan.images) say(line);
  if (values['dry-run']) {
    say(`Version ${version} can be released from ${plan.commit}. Nothing was written.`);
    return;
  }
  run(ROOT, 'npm', ['run', '--silent', 'check']);
  if (!values['tests-passed']) run(ROOT, 'npm', ['run', '--silent', 'test:all']);
  if (git(ROOT, 'status', '--porcelain') !== '')
    throw new Error('the checks left changes in the tree; look at git status');
  writeRelease(plan);
  say(`Released ${version}: commit and tag v${version}. Push both: git push origin main v${version}`);
}

/** Plans the release before anything is changed; throws a sentence when it cannot be made. */
function planRelease(version: string): Plan {
  const recorded = JSON.parse(read(RELEASE_FILE)) as Recorded;
  const order = compareVersions(version, recorded.version);
  const isFirst = !hasTag(recorded.version);
  if (order === null) throw new Error(`${version} is not a version: it must be X.Y.Z`);
  if (order < 0 || (order === 0 && !isFirst))
    throw new Error(`${version} is not higher than ${recorded.version}, the last release`);
  if (hasTag(version)) throw new Error(`the tag v${version} exists already; choose a higher version`);
  const branch = git(ROOT, 'rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main') throw new Error(`releases are made on main, this is ${branch}: git switch main`);
  if (git(ROOT, 'status', '--porcelain') !== '')
    throw new Error('the tree has changes; commit or remove them first');
  const date = new Date().toISOString().slice(0, 10);
  return {
    version,
    commit: git(ROOT, 'rev-parse', 'HEAD'),
    changelog: releaseChangelog(read('CHANGELOG.md'), version, date),
    images: isFirst ? ['All images are new: this is the first release.'] : imageLines(recorded),
  };
}

function hasTag(version: string): boolean {
  return git(ROOT, 'tag', '--list', `v${version}`) !== '';
}

function imageLines({ version, commit }: Recorded): readonly string[] {
  const files = git(ROOT, 'diff', '--name-only', commit, 'HEAD').split('\n');
  const changed = changedImages(snapshotAt(ROOT, commit), snapshotOfTree(ROOT), files);
  if (changed.length === 0) return [`No image changed since ${version}.`];
  const lines = changed.map(({ service, reasons }) => {
    const more = reasons.length - REASONS_SHOWN_MAX;
    const shown = reasons.slice(0, REASONS_SHOWN_MAX).join(', ');
    return `  ${service}: ${shown}${more > 0 ? ` and ${more} more` : ''}`;
  });
  return [`Images that changed since ${version}, and why:`, ...lines];
}

function writeRelease({ version, commit, changelog }: Plan): void {
  const manifests = git(ROOT, 'ls-files', 'package.json', '*/package.json').split('\n');
  for (const file of manifests)
    write(file, toJsonText(withVersion(JSON.parse(read(file)) as Manifest, version)));
  write(
    'package-lock.json',
    toJsonText(lockWithVersion(JSON.parse(read('package-lock.json')) as Lock, version)),
  );
  write('CHANGELOG.md', changelog);
  write(RELEASE_FILE, toJsonText({ version, commit } satisfies Recorded));
  replaceFile(path.join(ROOT, 'protos/release.binpb'), readFileSync(path.join(ROOT, 'protos/image.binpb')));
  git(ROOT, 'commit', '--quiet', '--all', '--message', `release: ${version}`);
  git(ROOT, 'tag', '--annotate', `v${version}`, '--message', `Placard ${version}`);
}
