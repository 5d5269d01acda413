import { expect } from 'chai';
import { nextState, type AdState, type AdStep } from './ad-state.js';

const STATES: readonly AdState[] = [
  'idle',
  'loading',
  'ready',
  'showing',
  'closed',
  'expired',
  'unavailable',
];
const STEPS: readonly AdStep[] = ['load', 'loaded', 'not_loaded', 'show', 'expire', 'close'];

describe('the states of a full-screen ad', () => {
  it('allow these steps and no others', () => {
    const allowed = STATES.flatMap((state) =>
      STEPS.flatMap((step) => {
        const next = nextState(state, step);
        return next === null ? [] : [`${state} ${step} ${next}`];
      }),
    );
    expect(allowed).to.deep.equal([
      'idle load loading',
      'loading loaded ready',
      'loading not_loaded unavailable',
      'ready show showing',
      'ready expire expired',
      'showing close closed',
      'closed load loading',
      'expired load loading',
      'unavailable load loading',
    ]);
  });
});
