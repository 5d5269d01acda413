/** Sends the port to the parent process, and ends this process when the parent is gone. */
export function announce(port: number): void {
  process.send?.({ port });
  process.on('disconnect', () => process.exit(0));
}

/** A required setting. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
