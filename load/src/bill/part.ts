import type { ServiceName } from '@placard/local';
import type { Operation } from '../operations.js';
import type { Replace } from './replace.js';

/** The calls that have a bill. */
export const CALLS = ['session', 'request', 'impression'] as const;
/** One of them. */
export type Call = (typeof CALLS)[number];

/** The operation of the phones for each call. */
export const OPERATION_OF: Readonly<Record<Call, Operation>> = {
  session: 'initialize',
  request: 'request',
  impression: 'impression',
};

/** An export of the product that is replaced. */
export interface Patch {
  /** Path of the built file from the repository's folder, or the name of a package. */
  readonly module: string;
  readonly name: string;
  readonly processes: readonly ServiceName[];
  readonly replace: Replace;
}

/** A part of a call that can be left out, so that the answer stays valid. */
export interface Part {
  readonly id: string;
  readonly name: string;
  readonly calls: readonly Call[];
  /** Description of its stand-in. */
  readonly instead: string;
  /** The part that is inside this one; the difference is the call between two services. Default: none. */
  readonly holds?: string;
  /** Whether ads and sessions of a call without the part may be used later; default: yes. */
  readonly keeps?: false;
  /** Whether impressions without the part are settled; default: yes. */
  readonly settles?: false;
  /** Whether successful calls never use it. Default: a part without uses is a fault. */
  readonly isIdle?: true;
  readonly patches: readonly Patch[];
}
