import { expect } from 'chai';
import { TimerWheel } from '../pure/timer-wheel.js';
import { TOLERANCES } from './importance.js';
import { AdaptiveDoor, type DoorTime } from './adaptive-door.js';

/** Resolution of the timers of waiting calls, as in production. */
const TICK_MS = 5;
const SLOTS = 64;

/** One kind of calls, with its load in each phase. */
interface Lane {
  readonly door: AdaptiveDoor;
  /** Calls per second, by phase. */
  readonly loads: readonly number[];
}

/** What became of the calls of a lane in a phase. */
class Tally {
  readonly latenciesMs: number[] = [];
  refused = 0;
  lastRefusalMs = 0;
  refusedAfterMsMax = 0;

  get p99Ms(): number {
    return [...this.latenciesMs].sort((a, b) => a - b)[Math.floor(this.latenciesMs.length * 0.99)] ?? 0;
  }
}

/**
 * Calls with Poisson arrivals, which nobody waits with, pass doors to one server: one worker whose work takes an exponential
 * time with this mean, and a constant wait beside it. The simulation moves its own time.
 */
class Simulation implements DoorTime {
  #now = 0;
  #freeAt = 0;
  #seed = 7;
  readonly #server: { readonly workMs: number; readonly waitMs: number };
  readonly #wheel = new TimerWheel(TICK_MS, SLOTS, 0);
  /** In order of time. */
  readonly #events: { readonly at: number; readonly run: () => void }[] = [];

  constructor(server: { readonly workMs: number; readonly waitMs: number }) {
    this.#server = server;
  }

  now(): number {
    return this.#now;
  }

  isBusy(): boolean {
    return false;
  }

  runAt(atMs: number, run: () => void): void {
    this.#wheel.add(atMs, run);
  }

  /** Answers a tally for each lane. `stallMs`: the process stands still for this time in the middle of the phase. */
  phase(lanes: readonly Lane[], index: number, ms: number, stallMs = 0): readonly Tally[] {
    const startedAt = this.#now;
    const arrivals = lanes.flatMap((lane, laneIndex) =>
      this.#arrivals(startedAt, ms, lane.loads[index] ?? 0).map((at) => ({ at, lane, laneIndex })),
    );
    const tallies = lanes.map(() => new Tally());
    let stallAt = startedAt + ms / 2;
    for (const { at, lane, laneIndex } of arrivals.sort((a, b) => a.at - b.at)) {
      if (stallMs > 0 && at > stallAt) {
        this.#runUntil(stallAt);
        this.#now += stallMs;
        stallAt = Infinity;
      }
      this.#runUntil(at);
      this.#arrive(lane.door, tallies[laneIndex] as Tally, startedAt);
    }
    this.#runUntil(startedAt + ms);
    return tallies;
  }

  #arrive(door: AdaptiveDoor, tally: Tally, phaseAt: number): void {
    const arrivedAt = this.#now;
    const refuse = (): void => {
      tally.refused += 1;
      tally.lastRefusalMs = this.#now - phaseAt;
      tally.refusedAfterMsMax = Math.max(tally.refusedAfterMsMax, this.#now - arrivedAt);
    };
    const serve = (): void => {
      const beganAt = this.#now;
      this.#freeAt = Math.max(this.#freeAt, beganAt) + this.#exponential(this.#server.workMs);
      this.#add(this.#freeAt + this.#server.waitMs, () => {
        tally.latenciesMs.push(this.#now - arrivedAt);
        door.leave(beganAt, 'answered');
      });
    };
    if (door.isClosed()) refuse();
    else if (door.enter()) serve();
    else door.enterLater((isAdmitted) => (isAdmitted ? serve() : refuse()));
  }

  #arrivals(from: number, ms: number, perSecond: number): readonly number[] {
    const instants: number[] = [];
    if (perSecond === 0) return instants;
    for (let at = from; at <= from + ms; at += this.#exponential(1_000 / perSecond)) instants.push(at);
    return instants;
  }

  #add(at: number, run: () => void): void {
    let index = this.#events.length;
    while (index > 0 && (this.#events[index - 1]?.at ?? 0) > at) index -= 1;
    this.#events.splice(index, 0, { at, run });
  }

  #runUntil(until: number): void {
    for (let next = this.#events[0]; next !== undefined && next.at <= until; next = this.#events[0]) {
      this.#events.shift();
      this.#moveTo(next.at);
      next.run();
    }
    this.#moveTo(until);
  }

  #moveTo(at: number): void {
    for (let tick = (Math.floor(this.#now / TICK_MS) + 1) * TICK_MS; tick <= at; tick += TICK_MS) {
      this.#now = tick;
      this.#wheel.advance(tick);
    }
    this.#now = Math.max(this.#now, at);
  }

  #exponential(mean: number): number {
    this.#seed = (this.#seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return -Math.log(1 - this.#seed / 4_294_967_296) * mean;
  }
}

const SECOND = 1_000;

/** For a door that has nothing more important beside it. */
const NEVER = (): boolean => false;

/** Servers with a capacity of 1,000, 4,000 and 5,000 calls a second. */
const SERVERS = [
  { workMs: 1, waitMs: 40 },
  { workMs: 0.25, waitMs: 10 },
  { workMs: 0.2, waitMs: 20 },
];

describe('an adaptive door in a simulation of a server', () => {
  for (const server of SERVERS) {
    const capacity = SECOND / server.workMs;
    describe(`with ${server.workMs.toFixed(1)} ms of work and ${server.waitMs} ms of other waits`, () => {
      const simulation = new Simulation(server);
      const loads = [capacity / 2, 3 * capacity, capacity / 2];
      const lane = { door: new AdaptiveDoor(TOLERANCES.ads, NEVER, simulation), loads };
      const run = (index: number, ms: number): Tally => simulation.phase([lane], index, ms)[0] as Tally;
      const half = run(0, 20 * SECOND);
      const overload = run(1, 60 * SECOND);
      const after = run(2, 10 * SECOND);

      it('refuses nothing at half of the capacity', () => {
        expect(half.refused).to.equal(0);
      });

      it('keeps the p99 of accepted calls below three times that of half the capacity, in a minute of three times it', () => {
        expect(overload.p99Ms).to.be.below(3 * half.p99Ms);
      });

      it('keeps the server busy meanwhile', () => {
        expect(overload.latenciesMs.length / 60).to.be.above(0.95 * capacity);
      });

      it('refuses within 50 milliseconds', () => {
        expect(overload.refused).to.be.above(0);
        expect(overload.refusedAfterMsMax).to.be.below(50);
      });

      it('refuses nothing any more a second after the overload', () => {
        expect(after.lastRefusalMs).to.be.below(SECOND);
      });
    });
  }

  it('lets important calls pass while less important ones overload the server', () => {
    const simulation = new Simulation({ workMs: 1, waitMs: 3 });
    const ofEvents = new AdaptiveDoor(TOLERANCES.events, NEVER, simulation);
    const ofAds = new AdaptiveDoor(TOLERANCES.ads, () => ofEvents.isOverloaded(), simulation);
    const ofSessions = new AdaptiveDoor(TOLERANCES.sessions, () => ofAds.isOverloaded(), simulation);
    const lanes = [
      { door: ofEvents, loads: [150, 150] },
      { door: ofAds, loads: [250, 2_000] },
      { door: ofSessions, loads: [50, 400] },
    ];
    simulation.phase(lanes, 0, 20 * SECOND);
    const [events, ads, sessions] = simulation.phase(lanes, 1, 30 * SECOND) as [Tally, Tally, Tally];
    const shareOf = ({ refused, latenciesMs }: Tally): number => refused / (refused + latenciesMs.length);
    expect(shareOf(events)).to.be.below(0.01);
    expect(shareOf(ads)).to.be.within(0.4, 0.8);
    expect(shareOf(sessions)).to.be.above(0.4);
  });

  it('refuses nothing when the process stood still for 80 milliseconds at half of the capacity', () => {
    const simulation = new Simulation({ workMs: 1 / 3, waitMs: 3 });
    const lane = { door: new AdaptiveDoor(TOLERANCES.ads, NEVER, simulation), loads: [1_500, 1_500] };
    simulation.phase([lane], 0, 10 * SECOND);
    const [tally] = simulation.phase([lane], 1, SECOND, 80) as [Tally];
    expect(tally.refused).to.equal(0);
  });

  it('gets used to a server that has become slower for good', () => {
    const slow = { workMs: 2, waitMs: 60 };
    const server = { workMs: 1, waitMs: 3 };
    const simulation = new Simulation(server);
    const lane = { door: new AdaptiveDoor(TOLERANCES.ads, NEVER, simulation), loads: [300] };
    simulation.phase([lane], 0, 20 * SECOND);
    Object.assign(server, slow);
    simulation.phase([lane], 0, 60 * SECOND);
    const [later] = simulation.phase([lane], 0, 10 * SECOND) as [Tally];
    expect(later.refused / later.latenciesMs.length).to.be.below(0.01);
  });
});
