/** Waits until it is so; throws when it does not come true in time. */
export async function until(isSo: () => Promise<boolean> | boolean, withinMs = 10_000): Promise<void> {
  const endsAt = Date.now() + withinMs;
  while (!(await isSo())) {
    if (Date.now() > endsAt) throw new Error('did not come true in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
