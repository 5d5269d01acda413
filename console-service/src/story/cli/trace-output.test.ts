import { expect } from 'chai';
import type { Schemas } from '../../manage/domain/operations.js';
import { isKnown, toStory, toStoryText } from './trace-output.js';

type Story = Schemas['Story'];

/** Made at 1970-01-01T00:00:01.000Z. */
const ID = `req_${(1_000).toString(16).padStart(12, '0')}${'0'.repeat(20)}`;
const iso = (ms: number): string => new Date(ms).toISOString();
const IMPRESSION: Story['events'][number] = {
  type: 'impression',
  verdict: 'accepted',
  rule: null,
  is_test: false,
  country: null,
  completion: null,
  arrived_at: iso(2_000),
  settled_at: iso(3_000),
  publisher: 'pub_x',
  app: 'app_x',
  placement: 'home_banner',
  format: 'banner',
  advertiser: 'adv_x',
  campaign: 'cmp_x',
  creative: 'cr_x',
  price: '0.002500000',
  publisher_share: '0.001750000',
  trace_id: 'a'.repeat(32),
};
const NOTHING: Story = {
  request_id: ID,
  currency: 'USD',
  answer: null,
  events: [],
  booking: null,
  lease: null,
  reward_callback: null,
  refused: [],
  is_refused_unknown: false,
  is_dropped: false,
};
const BOOKING = {
  booked_at: iso(2_900),
  entries: [{ account: 'advertiser:adv_x', amount: '-0.002500000' }],
};

const CALLBACK = {
  id: 'rwd_x',
  status: 'delivered',
  attempts: 2,
  fault: null,
  delivered_at: iso(4_000),
} as const;

const storyOf = (stored: Partial<Story>, fields: object | null = null) =>
  toStory(
    ID,
    { ...NOTHING, ...stored },
    fields === null
      ? []
      : [
          {
            time: '1970-01-01T00:00:01.500Z',
            name: 'gateway',
            level: 20,
            msg: 'answered',
            fields: { ...fields },
          },
        ],
  );

describe('the story of a request', () => {
  it('joins events, booking, lease and log lines in the order of time', () => {
    const lease = { run: 'run_x', minute: iso(0), closed_at: iso(9_000) };
    const story = storyOf({ events: [IMPRESSION], booking: BOOKING, lease }, { requestId: ID });
    expect(story.requested_at).to.equal('1970-01-01T00:00:01.000Z');
    expect(story.steps.map(({ step }) => step)).to.deep.equal([
      ...['requested', 'log', 'impression', 'booked', 'settled', 'lease_closed'],
    ]);
    expect(story.steps[2]?.details).to.include({ verdict: 'accepted', trace_id: 'a'.repeat(32) });
    expect(story.steps[3]?.details).to.deep.equal({
      entries: [{ account: 'advertiser:adv_x', amount: '-0.002500000' }],
    });
    expect(story.notes).to.deep.equal([]);
  });

  it('says what a suspicious impression, a test ad and a waiting event mean', () => {
    const notesOn = (event: Partial<typeof IMPRESSION>) =>
      storyOf({ events: [{ ...IMPRESSION, ...event }] }).notes.join();
    expect(notesOn({ verdict: 'suspicious' })).to.include('headroom again');
    expect(notesOn({ is_test: true })).to.include('test ad');
    expect(notesOn({ settled_at: null })).to.include('settlement worker');
  });

  it('says what it means that no impression is stored, and when its day was dropped', () => {
    expect(storyOf({}).notes.join()).to.include('No impression is stored');
    expect(storyOf({ is_dropped: true }).notes.join()).to.include('retention');
    expect(storyOf({ is_refused_unknown: true }).notes.join()).to.include('fraud-service');
  });

  it('has the answer of a kept request, and says what it means that no impression followed', () => {
    const answer = {
      at: iso(1_200),
      app: 'app_x',
      placement: 'home_banner',
      result: 'fill',
      winner: 'cmp_x',
    };
    const { at, ...details } = answer;
    const filled = storyOf({ answer });
    expect(isKnown(filled)).to.equal(true);
    expect(filled.steps[1]).to.deep.equal({ at, step: 'answered', details });
    expect(filled.notes.join()).to.include('No impression is stored: the ad was not shown');
    const empty = storyOf({ answer: { ...answer, result: 'frequency_capped', winner: null } });
    expect(toStoryText(empty)).to.include(
      'answered   app=app_x placement=home_banner result=frequency_capped',
    );
    expect(empty.notes).to.deep.equal([]);
  });

  it('says nothing of an impression when the log shows that the request was for no ad', () => {
    const notesAt = (route: string) => storyOf({}, { requestId: ID, route }).notes.join();
    expect(notesAt('/v1/ads/request')).to.include('No impression is stored');
    expect(notesAt('/v1/sdk/initialize')).to.equal('');
    expect(storyOf({}, { requestId: 'req_event', route: '/v1/events/click' }).notes.join()).to.include(
      'No impression is stored',
    );
  });

  it('is known by an event, a reward callback, a refused event or a log line', () => {
    expect(isKnown(storyOf({}))).to.equal(false);
    expect(isKnown(storyOf({ events: [IMPRESSION] }))).to.equal(true);
    expect(isKnown(storyOf({ reward_callback: CALLBACK }))).to.equal(true);
    expect(isKnown(storyOf({ refused: [{ rule: 'duplicate', event: 'click', at: iso(1) }] }))).to.equal(true);
    expect(isKnown(storyOf({}, { requestId: ID }))).to.equal(true);
  });

  it('names the ad whose event the request reports', () => {
    expect(storyOf({}, { requestId: ID, adRequestId: 'req_ad' }).notes.join()).to.include(
      'placard trace req_ad',
    );
  });

  it('says what became of the callback of a reward', () => {
    expect(storyOf({ reward_callback: CALLBACK }).reward_callback).to.deep.equal(CALLBACK);
    expect(toStoryText(storyOf({ reward_callback: CALLBACK }))).to.include(
      '\nreward callback rwd_x: status=delivered attempts=2 delivered_at=1970-01-01T00:00:04.000Z\n',
    );
    const failed = { status: 'waiting', fault: 'The answer was 503.', delivered_at: null } as const;
    expect(toStoryText(storyOf({ reward_callback: { ...CALLBACK, ...failed } }))).to.include(
      '\nreward callback rwd_x: status=waiting attempts=2 fault=The answer was 503.\n',
    );
    expect(toStoryText(storyOf({}))).not.to.include('reward callback');
  });

  it('is shown as a table with the ad and its price', () => {
    const text = toStoryText(storyOf({ events: [IMPRESSION], booking: BOOKING }));
    expect(text).to.include(
      `request ${ID}, amounts in USD\nad: banner at home_banner of app_x (pub_x) in an unknown country`,
    );
    expect(text).to.match(/^1970-01-01T00:00:02\.000Z {2}impression {2}verdict=accepted price=0\.002500000/m);
  });
});
