import type { ServiceName } from '@placard/local';
import type { Operation } from '../operations.js';
import type { Replace } from './replace.js';

/** The calls that have a bill. */
export const CALLS = ['session', 'request', 'impression'] as const;
/** One of them. */
export type Call = (typeof CALLS)[number];

/** What phones send for it. */
export const OPERATION_OF: Readonly<Record<Call, Operation>> = {
  session: 'initialize',
  request: 'request',
  impression: 'impression',
};

/** An export of the product that is replaced. */
export interface Patch {
  /** From the repository's folder, as built; or the name of a package. */
  readonly module: string;
  readonly name: string;
  readonly processes: readonly ServiceName[];
  readonly replace: Replace;
}

/** Something that a call does and can be left out of it, so that the answer stays valid. */
export interface Part {
  readonly id: string;
  readonly name: string;
  readonly calls: readonly Call[];
  /** What stands in for it. */
  readonly instead: string;
  /** The part that is left out with this one: the rest is the call between two services. None: it holds no other. */
  readonly holds?: string;
  /** Whether ads and sessions of a call without it may be used later; without it, yes. */
  readonly keeps?: false;
  /** Whether impressions without it are settled; without it, yes. */
  readonly settles?: false;
  /** Never used by a call that goes well; without it, a part that is not used is a fault. */
  readonly isIdle?: true;
  readonly patches: readonly Patch[];
}
