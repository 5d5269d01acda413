import { expect } from 'chai';
import { idPrefixOf, isEventOf, placeOf, type QueuedEvent } from './events.js';

const APP = 'app_000000000000000000000001';
const AD = { id: `${idPrefixOf(APP)}1`, requestId: 'req_1', impressionToken: 'token', completion: false };

describe('the events of an app', () => {
  it('of one ad go to the server in the order in which it accepts them', () => {
    const events = (['reward', 'click', 'impression'] as const).map((kind) => ({ ...AD, kind }));
    const inOrder = [...events].sort((a, b) => placeOf(a) - placeOf(b));
    expect(inOrder.map(({ kind }) => kind)).to.deep.equal(['impression', 'click', 'reward']);
  });

  it('are told from those of other apps and from anything else in the store', () => {
    const click: QueuedEvent = { ...AD, kind: 'click' };
    const fallback: QueuedEvent = { id: AD.id, kind: 'fallback', placement: 'top', reason: 'error' };
    for (const event of [click, fallback]) {
      expect(isEventOf(APP, event)).to.equal(true);
      expect(isEventOf('app_000000000000000000000002', event)).to.equal(false);
    }
    for (const row of [
      null,
      'x',
      {},
      { ...click, id: 1 },
      { ...click, kind: 'other' },
      { ...AD, kind: 'fallback' },
    ])
      expect(isEventOf(APP, row), JSON.stringify(row)).to.equal(false);
  });
});
