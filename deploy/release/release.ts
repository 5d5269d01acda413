// `npm run release`: see HELP.
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { replaceFile } from '../../service-kit/src/files/replace-file.js';
import { SERVICES } from '../images/contents.mjs';
import { releaseChangelog } from './changelog.js';
import { changedImages, type ChangedImage } from './changed-images.js';
import {
  contractsFile,
  readReleases,
  RELEASE_FILE,
  withRelease,
  type Release,
  type ReleaseFile,
} from './releases.js';
import { git, releaseCommit, run, snapshotAt, snapshotOfTree } from './repository.js';
import {
  compareVersions,
  lockWithVersions,
  toJsonText,
  versionsAfter,
  withVersions,
  type Lock,
  type Manifest,
} from './versions.js';

const HELP = `Makes a release of main.

Usage: npm run release -- X.Y.Z [--dry-run] [--tests-passed]
       npm run release -- --tag-last

  X.Y.Z           the version, higher than the last one
  --dry-run       shows the version of each service and what changed in its image; checks the version, the changelog and the tree, runs no
                  tests and writes nothing
  --tests-passed  the long tests (npm run test:all) have passed on this very commit; without it they are run
  --tag-last      gives the last release its tag where this clone has none, and does nothing else
  --help          this text

Checks everything (npm run check: the contracts against the last two releases too), gives the version to the services whose
image changed and to all other packages, makes the changelog's section, records the commit and the contracts in
deploy/release, commits and tags vX.Y.Z, and the last release where its tag is missing. A service whose image did not change
keeps its version. Pushing is left to you. Nothing is written when a check fails.`;

const SEE_HELP = 'See: npm run release -- --help';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const REASONS_SHOWN_MAX = 3;

/** A release that can be made. */
interface Plan {
  readonly version: string;
  readonly commit: string;
  readonly changelog: string;
  readonly changed: readonly ChangedImage[];
  /** What is shown before anything is done. */
  readonly lines: readonly string[];
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
        'tag-last': { type: 'boolean', default: false },
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
  if (values['tag-last'] && positionals.length === 0) {
    tagLast();
    return;
  }
  const [version, ...others] = positionals;
  if (version === undefined || others.length > 0) throw new Error(`name one version. ${SEE_HELP}`);
  const plan = planRelease(version);
  for (const line of plan.lines) say(line);
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
  const changed = plan.changed.map(({ service }) => service).join(' ');
  say(
    changed === ''
      ? 'No image to build.'
      : `Images to build: deploy/images/build --tag ${version} ${changed}`,
  );
}

/** Gives the last release its tag if this clone lacks it. */
function tagLast(): void {
  const [last] = readReleases(ROOT);
  const tag = `v${last.version}`;
  if (hasTag(last.version)) {
    say(`The tag ${tag} is there.`);
    return;
  }
  const commit = releaseCommit(ROOT, last);
  git(ROOT, 'tag', '--annotate', tag, commit, '--message', `Placard ${last.version}`);
  say(`The tag ${tag} was missing: it is now on ${commit}. Push it: git push origin ${tag}`);
}

/** Plans the release before anything is changed; throws a sentence when it cannot be made. */
function planRelease(version: string): Plan {
  const [last] = readReleases(ROOT);
  const order = compareVersions(version, last.version);
  if (order === null) throw new Error(`${version} is not a version: it must be X.Y.Z`);
  if (order <= 0) throw new Error(`${version} is not higher than ${last.version}, the last release`);
  if (hasTag(version)) throw new Error(`the tag v${version} exists already; choose a higher version`);
  const branch = git(ROOT, 'rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main') throw new Error(`releases are made on main, this is ${branch}: git switch main`);
  if (git(ROOT, 'status', '--porcelain') !== '')
    throw new Error('the tree has changes; commit or remove them first');
  const date = new Date().toISOString().slice(0, 10);
  const tags = tagLines(last);
  const changed = changesSince(last);
  return {
    version,
    commit: git(ROOT, 'rev-parse', 'HEAD'),
    changelog: releaseChangelog(read('CHANGELOG.md'), version, date),
    changed,
    lines: [
      ...tags,
      `Services, and what changed in their images since ${last.version}:`,
      ...serviceLines(version, changed),
    ],
  };
}

function hasTag(version: string): boolean {
  return git(ROOT, 'tag', '--list', `v${version}`) !== '';
}

/** Says what happens to the tag of the last release; throws when this clone lacks its commits. */
function tagLines(last: Release): readonly string[] {
  const commit = releaseCommit(ROOT, last);
  return hasTag(last.version) ? [] : [`The tag v${last.version} is missing here. It belongs on ${commit}.`];
}

function changesSince({ commit }: Release): readonly ChangedImage[] {
  const files = git(ROOT, 'diff', '--name-only', commit, 'HEAD').split('\n');
  return changedImages(snapshotAt(ROOT, commit), snapshotOfTree(ROOT), files);
}

function serviceLines(version: string, changed: readonly ChangedImage[]): readonly string[] {
  return SERVICES.map((service) => {
    const own = readManifest(`${service}/package.json`).version ?? '';
    const { reasons } = changed.find((image) => image.service === service) ?? {};
    if (reasons === undefined) return `  ${service}: stays ${own}`;
    const more = reasons.length - REASONS_SHOWN_MAX;
    const shown = reasons.slice(0, REASONS_SHOWN_MAX).join(', ');
    return `  ${service}: ${own} → ${version}: ${shown}${more > 0 ? ` and ${more} more` : ''}`;
  });
}

function readManifest(file: string): Manifest {
  return JSON.parse(read(file)) as Manifest;
}

function writeRelease({ version, commit, changelog, changed }: Plan): void {
  tagLast();
  const files = git(ROOT, 'ls-files', 'package.json', '*/package.json').split('\n');
  const services = changed.map(({ service }) => service);
  const versions = versionsAfter(files.map(readManifest), services, version);
  for (const file of files) write(file, toJsonText(withVersions(readManifest(file), versions)));
  const lock = JSON.parse(read('package-lock.json')) as Lock;
  write('package-lock.json', toJsonText(lockWithVersions(lock, versions)));
  write('CHANGELOG.md', changelog);
  record({ version, commit });
  git(ROOT, 'add', '--all');
  git(ROOT, 'commit', '--quiet', '--message', `release: ${version}`);
  git(ROOT, 'tag', '--annotate', `v${version}`, '--message', `Placard ${version}`);
}

/** Records a release and its contracts, in place of those that are too old. */
function record(release: Release): void {
  const before = readReleases(ROOT);
  const releases = withRelease(before, release);
  write(RELEASE_FILE, toJsonText({ releases } satisfies ReleaseFile));
  replaceFile(
    path.join(ROOT, contractsFile(release.version)),
    readFileSync(path.join(ROOT, 'protos/image.binpb')),
  );
  for (const { version } of before.filter((one) => !releases.includes(one)))
    rmSync(path.join(ROOT, contractsFile(version)));
}
