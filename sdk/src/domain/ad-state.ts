/**
 * State of a full-screen ad.
 *
 * `idle`: nothing is loaded. `loading`: an ad is requested and its file downloaded. `ready`: the ad can be shown.
 * `showing`: the ad is on screen. `closed`: the user has closed it. `expired`: its time ran out, or the client was closed, before it was shown.
 * `unavailable`: there is no ad; the outcome of the load has the reason.
 */
export type AdState = 'idle' | 'loading' | 'ready' | 'showing' | 'closed' | 'expired' | 'unavailable';

/** What can happen to a full-screen ad. */
export type AdStep = 'load' | 'loaded' | 'not_loaded' | 'show' | 'expire' | 'close';

const NEXT = {
  idle: { load: 'loading' },
  loading: { loaded: 'ready', not_loaded: 'unavailable' },
  ready: { show: 'showing', expire: 'expired' },
  showing: { close: 'closed' },
  closed: { load: 'loading' },
  expired: { load: 'loading' },
  unavailable: { load: 'loading' },
} as const satisfies Readonly<Record<AdState, Readonly<Partial<Record<AdStep, AdState>>>>>;

/** The state after a step; null when the step does not fit the state. */
export function nextState(state: AdState, step: AdStep): AdState | null {
  const steps: Readonly<Partial<Record<AdStep, AdState>>> = NEXT[state];
  return steps[step] ?? null;
}
