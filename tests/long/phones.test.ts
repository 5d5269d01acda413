import { expect } from 'chai';
import { reported, runFleetOn } from '../driver/fleet.js';
import { pass } from '../driver/phone.js';
import { World } from '../driver/world.js';

const world = new World('faults');
const { app } = world.pair();

const RUN_MS = 60_000;
const BEFORE_MS = 15_000;
const DOWN_MS = 4_000;

describe('a fleet of phones while parts are killed', () => {
  world.use();

  for (const name of ['events-service', 'gateway']) {
    it(`has the same book as the reports when ${name} is killed and comes back`, async () => {
      const fleet = runFleetOn(world, app, { sessions: 120, hours: 6, speed: 360, seed: 11 });
      await pass(BEFORE_MS);
      await world.running.kill(name);
      await pass(DOWN_MS);
      await world.running.restart(name);
      const outcome = await fleet;
      expect(outcome.comparison.differences).to.deep.equal([]);
      expect(outcome.status, outcome.lines.join('\n')).to.equal(0);
      expect(outcome.remarks.get('calls without a true answer')).to.be.above(0);
      expect(outcome.remarks.get('apps killed')).to.be.above(0);
      expect(reported(outcome, 'impressions')).to.be.above(100);
    }).timeout(RUN_MS * 3);
  }
});
