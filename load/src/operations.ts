/** Operations of a phone. `duplicate` repeats an accepted impression. */
export const OPERATIONS = [
  'initialize',
  'request',
  'impression',
  'click',
  'reward',
  'fallback',
  'duplicate',
] as const;

/** One kind of call. */
export type Operation = (typeof OPERATIONS)[number];

/** Shares of operations, of any sum. Operations without a share are not sent by themselves. */
export type Mix = Readonly<Partial<Record<Operation, number>>>;

/** Targets of a load. */
export const TARGETS = ['gateway', 'session', 'serving', 'events', 'fraud'] as const;

/** One target of a load. */
export type Target = (typeof TARGETS)[number];

/** The operations of each target. */
export const OPERATIONS_OF: Readonly<Record<Target, readonly Operation[]>> = {
  gateway: OPERATIONS,
  session: ['initialize'],
  serving: ['request'],
  events: ['impression', 'click', 'reward', 'fallback', 'duplicate'],
  fraud: ['request', 'impression', 'click'],
};

/** The mix of usual traffic: most ads are shown, few are clicked. */
const USUAL_MIX: Readonly<Record<Operation, number>> = {
  initialize: 3,
  request: 48,
  impression: 40,
  click: 2,
  reward: 2,
  fallback: 3,
  duplicate: 2,
};

/** The default mix of a target. */
export function usualMix(target: Target): Mix {
  return only(USUAL_MIX, target);
}

/** The operations of a mix that a target has; may be empty. */
export function only(mix: Mix, target: Target): Mix {
  const able = OPERATIONS_OF[target].filter((operation) => (mix[operation] ?? 0) > 0);
  return Object.fromEntries(able.map((operation) => [operation, mix[operation]]));
}

/** Reads a mix such as `request=60,impression=40`. Throws an `Error` with the fault. */
export function parseMix(text: string): Mix {
  const mix: Partial<Record<Operation, number>> = {};
  for (const part of text.split(',')) {
    const [name = '', share = ''] = part.split('=').map((word) => word.trim());
    const operation = OPERATIONS.find((known) => known === name);
    if (operation === undefined) {
      throw new Error(
        `--mix: ${name === '' ? 'an entry is empty' : `no operation ${name}`}; there are ${OPERATIONS.join(', ')}`,
      );
    }
    const value = Number(share);
    if (share === '' || !Number.isFinite(value) || value < 0) {
      throw new Error(`--mix: the share of ${name} must be a number of 0 or more`);
    }
    mix[operation] = value;
  }
  if (Object.values(mix).every((share) => share === 0)) throw new Error('--mix: no share is above 0');
  return mix;
}

/** The operation at a point from 0 to 1. Each operation covers a range of the size of its share. */
export function operationAt(mix: Mix, point: number): Operation {
  const entries = Object.entries(mix) as [Operation, number][];
  let left = point * entries.reduce((sum, [, share]) => sum + share, 0);
  for (const [operation, share] of entries) {
    left -= share;
    if (left < 0) return operation;
  }
  return entries.at(-1)?.[0] ?? 'request';
}
