// `npm run test:mutation`: makes small changes in the pure code, one at a time, and counts those that no test notices.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { npm } from '../../deploy/local/bootstrap/install.mjs';
import { root } from '../../deploy/local/bootstrap/prepare.mjs';

const HELP = `Counts the small changes of the pure code that no test notices. Takes minutes to hours.

Usage: npm run test:mutation -- [FOLDERS]

  FOLDERS  some of those below; none: all
  --help   this text

MUTATION_CONCURRENCY=N changes N places at the same time (default 1). Reports: .data/mutation/*.html`;

/** The name of a service stands for its domain folders. */
const FOLDERS = [
  'fraud-service',
  'session-service',
  'gateway',
  'service-kit/src/pure',
  'events-service',
  'serving-service',
  'console-service',
];
/** Percent of the changes that tests must notice. */
const SCORE_MIN = 85;

const home = path.join(root, 'tests', 'mutation');
const args = process.argv.slice(2).map((folder) => folder.replace(/\/$/, ''));
const unknown = args.filter((folder) => !FOLDERS.includes(folder));
if (args.includes('--help')) {
  console.log(`${HELP}\n\n${FOLDERS.join('\n')}`);
} else if (unknown.length > 0) {
  console.error(`${unknown.join(', ')}: no such folder. See: npm run test:mutation -- --help`);
  process.exitCode = 2;
} else {
  if (!existsSync(path.join(home, 'node_modules'))) npm(home, ['ci', '--no-audit', '--no-fund']);
  const scores = (args.length > 0 ? args : FOLDERS).map(mutate);
  console.log(['', ...scores.map(({ line }) => line)].join('\n'));
  process.exitCode = scores.every(({ isEnough }) => isEnough) ? 0 : 1;
}

/** Mutates one folder; returns its line of the result. */
function mutate(folder) {
  const stryker = path.join(home, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const config = path.join('tests', 'mutation', 'stryker.config.mjs');
  const { status } = spawnSync(process.execPath, [stryker, 'run', config], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MUTATED_FOLDER: folder },
  });
  if (status !== 0) return { isEnough: false, line: `${folder}: the run failed (status ${status})` };
  const report = path.join(root, '.data', 'mutation', `${folder.replaceAll('/', '-')}.json`);
  const counts = countsOf(JSON.parse(readFileSync(report, 'utf8')));
  const score = (100 * counts.noticed) / (counts.noticed + counts.missed);
  const line = `${folder}: ${score.toFixed(1)} % noticed, ${counts.missed} of ${counts.noticed + counts.missed} missed`;
  return { isEnough: score >= SCORE_MIN, line };
}

/** Counts the changes that a test noticed and those that none did. Changes that do not compile count as neither. */
function countsOf({ files }) {
  const all = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted) => all.filter((status) => wanted.includes(status)).length;
  return { noticed: count('Killed', 'Timeout'), missed: count('Survived', 'NoCoverage') };
}
