import { expect } from 'chai';
import type { CallRecord, Placard } from '../src/index.js';
import { Timers } from '../src/try/timers.js';
import { Device } from './device.js';
import { placardOn, Server } from './server.js';

const MINUTE_MS = 60_000;

describe('the timers of the page /try', () => {
  let device: Device;
  let server: Server;
  let timers: Timers;
  let placard: Placard;
  const calls: CallRecord[] = [];

  beforeEach(() => {
    device = new Device();
    // The clock of the phone is an hour late, which changes no lifetime.
    device.serverAheadMs = 60 * MINUTE_MS;
    server = new Server(device);
    timers = new Timers(device.platform.clock);
    calls.length = 0;
    placard = placardOn(device, {
      onCall: (call) => {
        calls.push(call);
        timers.noteCall(call);
      },
    });
    placard.onEvent((outcome) => timers.noteEvent(outcome));
  });
  afterEach(() => placard.close());

  const rows = (shown: Partial<Parameters<Timers['rows']>[1]> = {}) =>
    Object.fromEntries(
      timers.rows(placard.session, { placement: 'end', refreshSeconds: null, adState: null, ...shown }),
    );
  const load = () => placard.fullscreen('end').load();

  it('show nothing before the first session', () => {
    expect(Object.values(rows())).to.deep.equal(['–', '–', '–', '–', '–', 'none']);
  });

  it('count down the lives of session, configuration and ad by the clock of the server', async () => {
    await load();
    await device.pass(MINUTE_MS);
    expect(rows({ adState: 'ready' })).to.include({
      'session token': '0:58:58',
      configuration: '0:14:00',
      'full-screen ad': 'ready',
      'ad may be shown for': '0:28:58',
    });
    await device.pass(29 * MINUTE_MS);
    expect(rows()).to.include({ configuration: 'over', 'ad may be shown for': 'over' });
  });

  it('count down to the next banner, which is due when its time is over', async () => {
    await load();
    await device.pass(10_000);
    expect(rows({ refreshSeconds: 30 })['next banner']).to.equal('0:00:20');
    await device.pass(20_000);
    expect(rows({ refreshSeconds: 30 })['next banner']).to.equal('due');
  });

  it('are those of the chosen placement', async () => {
    await load();
    const other = rows({ placement: 'top', refreshSeconds: 30 });
    expect(other).to.include({ 'ad may be shown for': '–', 'next banner': '–' });
    expect(rows()).to.include({ 'ad may be shown for': '0:29:58' });
  });

  it('have no ad after a no-fill and after a request without an answer', async () => {
    for (const answer of [
      {
        status: 200,
        body: { status: 'no_fill', request_id: 'req_2', fallback: 'none', reason: 'frequency_capped' },
      },
      'lost',
    ] as const) {
      server.on('/ads/request', () => null);
      await load();
      expect(rows()['ad may be shown for']).to.equal('0:29:58');
      server.on('/ads/request', () => answer);
      await load();
      expect(rows()['ad may be shown for']).to.equal('–');
    }
    const lost = calls.filter(({ path }) => path === '/ads/request').at(-1);
    expect(lost).to.include({ status: null, serverMs: null });
  });

  it('say how the last event ended', async () => {
    const loseOne = async (answer: unknown): Promise<string | undefined> => {
      server.on('/ads/request', () => 'lost');
      server.on('/events/fallback', () => ({ status: 200, body: answer }));
      await load();
      await device.pass(0);
      return rows()['last event'];
    };
    expect(await loseOne({ status: 'accepted' })).to.equal('fallback accepted');
    expect(await loseOne({ status: 'rejected', reason: 'expired_token' })).to.equal(
      'fallback not accepted: expired_token',
    );
  });
});
