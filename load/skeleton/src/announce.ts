/** Tells whoever started this process on which port it listens, and ends it when that one is gone. */
export function announce(port: number): void {
  process.send?.({ port });
  process.on('disconnect', () => process.exit(0));
}

/** A setting that must be there. */
export function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set`);
  return value;
}
