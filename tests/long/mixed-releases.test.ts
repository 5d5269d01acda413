import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readReleases } from '../../deploy/release/releases.js';
import { ROOT } from '../driver/placard.js';
import { buildRelease, whyNotBuildable } from '../mixed-releases/build-release.js';
import { CURRENT, groupsBetween, type Build, type Group } from '../mixed-releases/builds.js';
import { liveWholeLife } from '../mixed-releases/life.js';
import { holdAds, sellTheRest } from '../mixed-releases/open-ads.js';
import { Pair } from '../mixed-releases/pair.js';
import { ResultTable } from '../mixed-releases/result-table.js';

const BUILD_MS_MAX = 600_000;
const START_MS_MAX = 120_000;
const ROW_MS_MAX = 120_000;

const titleOf = (group: Group): string => (group.length === 1 ? group[0] : 'events + serving');

describe('the last releases and the current tree, mixed', () => {
  const versions = readReleases(ROOT).map(({ version }) => version);
  const builds = new Map<string, Build>([[CURRENT.name, CURRENT]]);
  let dir = '';

  before('the last releases are built', async function () {
    this.timeout(BUILD_MS_MAX);
    const releases = readReleases(ROOT);
    const why = (await Promise.all(releases.map(whyNotBuildable))).find((reason) => reason !== null);
    if (why !== undefined) {
      process.stdout.write(`    skipped: ${why}\n`);
      return this.skip();
    }
    dir = await mkdtemp(path.join(os.tmpdir(), 'placard-mixed-'));
    await chmod(dir, 0o711);
    const built = await Promise.all(releases.map((release) => buildRelease(release, dir)));
    for (const build of built) builds.set(build.name, build);
  });

  after('the builds are removed', async function () {
    this.timeout(ROW_MS_MAX);
    if (dir !== '') await rm(dir, { recursive: true, force: true });
  });

  /** Tests a pair; `inBothDirections`: also with the older release around, on the newer tables. */
  function describePair(older: string, newer: string, inBothDirections: boolean): void {
    describe(`${older} and ${newer}`, () => {
      const groups = groupsBetween(older, newer);
      const [budgets, ...others] = groups;
      const table = new ResultTable(older, newer);
      let pair: Pair;

      before('the older release runs', async function () {
        this.timeout(START_MS_MAX);
        pair = await Pair.open(builds.get(older)!, builds.get(newer)!, dir);
      });

      after('all is stopped', async function () {
        this.timeout(START_MS_MAX);
        process.stdout.write(`${['', ...table.lines(), ''].join('\n')}\n`);
        await (pair as Pair | undefined)?.product.stop();
      });

      it('an upgrade pays the open ads and sells exactly the rest of a budget', () =>
        table.note('upgrade', 'newer', async () => {
          await liveWholeLife(pair);
          const held = await holdAds(pair.product);
          await pair.upgrade(budgets);
          await liveWholeLife(pair);
          await sellTheRest(pair, held);
          await pair.swap(others, pair.newer);
          await liveWholeLife(pair);
        })).timeout(ROW_MS_MAX);

      for (const group of groups) {
        it(`${titleOf(group)} of ${older} works among the processes of ${newer}`, () =>
          table.note(titleOf(group), 'older', () => pair.mix(group, pair.older, pair.newer))).timeout(
          ROW_MS_MAX,
        );
      }
      if (!inBothDirections) return;

      it(`all of ${older} works on the current tables`, () =>
        table.note('all', 'older', async () => {
          await pair.swap(groups, pair.older);
          await liveWholeLife(pair);
        })).timeout(ROW_MS_MAX);

      for (const group of groups) {
        it(`${titleOf(group)} of ${newer} works among the processes of ${older}`, () =>
          table.note(titleOf(group), 'newer', () => pair.mix(group, pair.newer, pair.older))).timeout(
          ROW_MS_MAX,
        );
      }
    });
  }

  for (const version of versions) describePair(version, CURRENT.name, true);
  const [last, oldest] = versions;
  // Before the last release was made, it was tested in both directions. New are the tables of the current tree.
  if (last !== undefined && oldest !== undefined) describePair(oldest, last, false);
});
