import { expect } from 'chai';
import { makeMarket } from '../../market/market.js';
import { servedApps } from '../../market/served-apps.js';
import { makeVisits, shareOfHour, type Visit } from './day.js';
import { fateOf, NETWORKS, spellsOf, type Network } from './network.js';
import { COUNTRIES, makeProfile, type Country } from './population.js';
import { streamOf } from './streams.js';

const APPS = servedApps(makeMarket(20, 3));
const PHONES = 2_000;
const HOURS = 24;
const DAY_MS = 86_400_000;

const profilesOf = (seed: number, count = PHONES) =>
  Array.from({ length: count }, (_, index) => makeProfile(seed, index, APPS));
const visitsOf = (seed: number, index: number): readonly Visit[] =>
  makeVisits(makeProfile(seed, index, APPS), HOURS, streamOf(seed, index, 'day'));

describe('the phones of a fleet', () => {
  it('and their days are the same for the same seed, and others for another', () => {
    expect(profilesOf(7, 50)).to.deep.equal(profilesOf(7, 50));
    expect(profilesOf(7, 50)).to.not.deep.equal(profilesOf(8, 50));
    expect(visitsOf(7, 3)).to.deep.equal(visitsOf(7, 3));
  });

  it('do not change when the fleet grows', () => {
    expect(profilesOf(7, 50)).to.deep.equal(profilesOf(7, 90).slice(0, 50));
  });

  it('are in many countries, a few of them odd or with a clock that jumps, each in a network of its own', () => {
    const profiles = profilesOf(1);
    for (const { code, weight } of COUNTRIES) {
      const share = profiles.filter(({ country }) => country.code === code).length / PHONES;
      expect(share, code).to.be.closeTo(weight / 100, 0.03);
    }
    expect(new Set(profiles.map(({ address }) => address)).size).to.equal(PHONES);
    const odd = profiles.filter(({ role }) => role !== 'usual').length / PHONES;
    expect(odd).to.be.closeTo(0.07, 0.02);
    const jumping = profiles.filter(({ clockJumps }) => clockJumps).length / PHONES;
    expect(jumping).to.be.closeTo(0.1, 0.02);
  });
});

describe('the day of a phone', () => {
  const country = (code: string): Country => COUNTRIES.find((one) => one.code === code)!;

  it('has busy evenings and quiet nights by the time of its country', () => {
    // A run begins at 12:00 UTC: 13:00 in Germany, 21:00 in Japan.
    const german = (hour: number): number => shareOfHour({ country: country('DE') }, hour);
    expect(german(7)).to.be.above(5 * german(14));
    expect(shareOfHour({ country: country('JP') }, 0)).to.be.above(german(0));
  });

  it('has all its shares in 24 hours', () => {
    for (const one of COUNTRIES) {
      const hours = Array.from({ length: HOURS }, (_, hour) => shareOfHour({ country: one }, hour));
      expect(hours.reduce((sum, share) => sum + share, 0)).to.be.closeTo(1, 1e-9);
    }
  });

  it('has about as many visits as its user makes, in their order', () => {
    const profiles = profilesOf(2, 500);
    const expected = profiles.reduce((sum, { visitsPerDay }) => sum + visitsPerDay, 0);
    const visits = profiles.map(({ index }) => visitsOf(2, index));
    expect(visits.flat().length / expected).to.be.closeTo(1, 0.08);
    for (const day of visits) expect(day).to.deep.equal([...day].sort((a, b) => a.atMs - b.atMs));
  });

  it('uses only placements of the app, and taps on every ad only as a tapper', () => {
    const profiles = profilesOf(3, 500);
    for (const profile of profiles) {
      const codes = profile.app.placements.map(({ code }) => code);
      for (const step of visitsOf(3, profile.index).flatMap(({ steps }) => steps)) {
        if (step.kind === 'away') continue;
        expect(codes).to.include(step.code);
        if (profile.role === 'tapper' && step.kind !== 'loop') expect(step.taps).to.equal(true);
      }
    }
    expect(profiles.some(({ role }) => role === 'tapper')).to.equal(true);
  });
});

describe('the network of a phone', () => {
  const network = (name: string): Network => NETWORKS.find((one) => one.name === name)!;

  it('loses as many calls as its kind does', () => {
    const chance = streamOf(1, 1, 'network');
    const calls = 20_000;
    const fates = Array.from({ length: calls }, () => fateOf(network('edge'), chance).kind);
    const share = (kind: string): number => fates.filter((one) => one === kind).length / calls;
    expect(share('request_lost')).to.be.closeTo(0.1, 0.01);
    expect(share('answer_lost')).to.be.closeTo(0.1, 0.01);
    expect(share('answer_silent')).to.be.closeTo(0.05, 0.01);
  });

  it('is away in spells of the day', () => {
    const spells = Array.from({ length: 200 }, (_, index) =>
      spellsOf(network('3g'), DAY_MS, streamOf(1, index, 'day')),
    ).flat();
    expect(spells.length / 200).to.be.closeTo(4, 0.8);
    for (const { fromMs, toMs } of spells) expect(toMs).to.be.within(fromMs + 60_000, fromMs + 1_500_000);
  });
});
