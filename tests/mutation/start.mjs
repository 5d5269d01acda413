// `npm run test:mutation`: makes small changes in the pure code, one at a time, and counts those that no test notices.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { SERVICES } from '../../deploy/images/contents.mjs';
import { npm } from '../../deploy/local/bootstrap/install.mjs';
import { root } from '../../deploy/local/bootstrap/prepare.mjs';

const HELP = `Counts the small changes of the pure code that no test notices. Takes minutes to hours.

Usage: npm run test:mutation -- [FOLDERS]
       npm run test:mutation -- FOLDER FILES

  FOLDERS  some of those below; none: all
  FILES    files (*.ts) of that folder: only they are changed, which takes minutes
  --help   this text

MUTATION_CONCURRENCY=N changes N places at the same time (default 1; fraud-service: always 1).
fraud-service needs a Redis: run npm run stores and set TEST_REDIS_URL as it says. Reports: .data/mutation/*.html`;

/** The name of a service stands for its domain folders. */
const FOLDERS = [...SERVICES, 'service-kit/src/pure'];
/** Its tests share one Redis, so they do not run at the same time. */
const FRAUD = 'fraud-service';
/** Percent of the changes that tests must notice. */
const SCORE_MIN = 85;

const home = path.join(root, 'tests', 'mutation');
const args = process.argv.slice(2).map((name) => name.replace(/\/$/, ''));
const files = args.filter((name) => name.endsWith('.ts'));
const folders = args.filter((name) => !name.endsWith('.ts'));
const fault = faultOf();
if (args.includes('--help')) {
  console.log(`${HELP}\n\n${FOLDERS.join('\n')}`);
} else if (fault !== null) {
  console.error(`${fault} See: npm run test:mutation -- --help`);
  process.exitCode = 2;
} else {
  if (!existsSync(path.join(home, 'node_modules'))) npm(home, ['ci', '--no-audit', '--no-fund']);
  const scores = (folders.length > 0 ? folders : FOLDERS).map(mutate);
  console.log(['', ...scores.map(({ line }) => line)].join('\n'));
  process.exitCode = scores.every(({ isEnough }) => isEnough) ? 0 : 1;
}

/** What is wrong with the arguments; null: nothing. */
function faultOf() {
  const unknown = folders.filter((folder) => !FOLDERS.includes(folder));
  if (unknown.length > 0) return `${unknown.join(', ')}: no such folder.`;
  if (!process.env.TEST_REDIS_URL && (folders.length === 0 || folders.includes(FRAUD)))
    return `TEST_REDIS_URL is not set, and ${FRAUD} needs it. Run npm run stores.`;
  if (files.length === 0) return null;
  if (folders.length !== 1) return 'Files need the one folder that they are in.';
  const missing = files.filter(
    (file) => !file.startsWith(`${folders[0]}/`) || !existsSync(path.join(root, file)),
  );
  return missing.length > 0 ? `${missing.join(', ')}: no such file in ${folders[0]}.` : null;
}

/** Mutates one folder, or the named files of it; returns its line of the result. */
function mutate(folder) {
  const stryker = path.join(home, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
  const config = path.join('tests', 'mutation', 'stryker.config.mjs');
  const report = path.join(
    '.data',
    'mutation',
    `${folder.replaceAll('/', '-')}${files.length > 0 ? '-files' : ''}`,
  );
  const { status } = spawnSync(process.execPath, [stryker, 'run', config], {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      MUTATED_FOLDER: folder,
      MUTATED_FILES: files.join(','),
      MUTATION_REPORT: report,
      ...(folder === FRAUD ? { MUTATION_CONCURRENCY: '1' } : {}),
    },
  });
  if (status !== 0) return { isEnough: false, line: `${folder}: the run failed (status ${status})` };
  const counts = countsOf(JSON.parse(readFileSync(path.join(root, `${report}.json`), 'utf8')));
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
