import { LeaseVerdict } from '@placard/protos/events/v1/events.js';
import { expect } from 'chai';
import { fromExchange } from './lease-wire.js';

function verdictOf(verdict: LeaseVerdict): string | undefined {
  const answer = { verdict, grantedNanos: 0n, isScarce: true, anchor: undefined, closedFills: undefined };
  const left = { totalLeftNanos: undefined, dailyLeftNanos: undefined };
  return fromExchange({ wants: [{ ...answer, ...left }], peeks: [] }).wants[0]?.verdict;
}

describe('the verdict on a wish for money', () => {
  // Contract: docs/contract/newer-values.md#between-services.
  it('is no money for this campaign when it comes from a newer release', () => {
    expect(verdictOf(LeaseVerdict.DAY)).to.equal('day');
    expect(verdictOf(999 as LeaseVerdict)).to.equal('ended');
  });
});
