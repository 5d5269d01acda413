/** Ends a command with status 1; the message says on one line what happened, why, and what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Ends a command with status 1 when all has been said already. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
