import { doorTime, openDoors, resultOf, toAppError, type Kind, type Scope } from '@placard/service-kit';

/**
 * Does the work of a request when it is its turn. Throws `overloaded` when it has no turn within a moment, or none before
 * `beginBy` (epoch milliseconds): a process that is so late has too much to do.
 */
export type OwnTurn = <T>(kind: Kind, beginBy: number, work: () => Promise<Worked<T>>) => Promise<T>;

/** What came of the work. */
export interface Worked<T> {
  readonly value: T;
  /** Whether a service answered. Otherwise the duration says nothing about the load. */
  readonly isAnswered: boolean;
}

/** Limits the requests of each kind that are worked on at the same time. */
export function makeOwnTurn(scope: Scope): OwnTurn {
  const doors = scope.once(openDoors);
  return async (kind, beginBy, work) => {
    const door = doors.of(kind);
    if (Date.now() > beginBy) throw doors.refuse(kind);
    if (!door.enter() && !(await new Promise<boolean>((resolve) => door.enterLater(resolve))))
      throw doors.refuse(kind);
    const beganAt = doorTime.now();
    try {
      const { value, isAnswered } = await work();
      door.leave(beganAt, isAnswered ? 'answered' : null);
      return value;
    } catch (error) {
      door.leave(beganAt, resultOf(toAppError(error)));
      throw error;
    }
  };
}
