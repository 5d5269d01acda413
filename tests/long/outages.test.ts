import { expect } from 'chai';
import { ALERT_CASES } from '../outages/alert-cases.js';
import { firesIn } from '../outages/fires.js';
import { OUTAGES } from '../outages/outages.js';
import { findPromtool } from '../outages/promtool.js';
import { readRecording, type Recording } from '../outages/recording.js';
import { namesIn, rulesOf } from '../outages/rules.js';
import { recordOutages } from '../outages/stage.js';

/** Outages whose pain no process notices itself: one of clients, one of the books. All: `npm run record:outages`. */
const NAMES: readonly string[] = ['commits-hang', 'books-wrong'];
const RUN_MS_MAX = 300_000;
const TESTS_MS_MAX = 60_000;

describe('outages of the product as it is today', () => {
  const recordings = new Map<string, Recording>();

  before('the outages happen', async () => {
    await findPromtool();
    const wanted = OUTAGES.filter(({ name }) => NAMES.includes(name));
    await recordOutages(wanted, ({ name }, recording) => void recordings.set(name, recording));
  }).timeout(RUN_MS_MAX);

  for (const name of NAMES) {
    it(`${name}: raises each alert that its recording in this repository raises`, async () => {
      const complaints: string[] = [];
      for (const test of ALERT_CASES.filter(({ outage }) => outage === name)) {
        const complaint = await firesIn(recordings.get(name)!, test);
        if (complaint !== null) complaints.push(`${test.alert}: ${complaint}`);
      }
      expect(complaints).to.deep.equal([]);
    }).timeout(TESTS_MS_MAX);

    it(`${name}: shows the metrics and labels of its recording that its alerts read`, () => {
      const read = metricsOf(name);
      const recorded = shapesOf(readRecording(name), read);
      expect(recorded).to.not.be.empty;
      expect(shapesOf(recordings.get(name)!, read)).to.include.members([...recorded]);
    });
  }
});

/** The metrics that the alerts of an outage read. */
function metricsOf(name: string): ReadonlySet<string> {
  const alerts = ALERT_CASES.filter(({ outage }) => outage === name).map(({ alert }) => alert);
  return new Set(alerts.flatMap(rulesOf).flatMap(({ expr }) => namesIn(expr)));
}

/** Each of these metrics with the names of its labels. */
function shapesOf({ series }: Recording, names: ReadonlySet<string>): readonly string[] {
  const keys = [...series.keys()].filter((key) => names.has(key.slice(0, key.indexOf('{'))));
  return [...new Set(keys.map((key) => key.replaceAll(/="[^"]*"/g, '')))];
}
