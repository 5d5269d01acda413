/** Ends a command with status 1. The message is one line: what happened, why, and what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** Ends a command with status 1 when all messages are already printed. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}
