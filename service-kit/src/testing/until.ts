const POLL_MS = 5;

/** Waits until the condition holds. Throws with its source text when it does not hold within `msMax`. */
export async function until(holds: () => Promise<boolean> | boolean, msMax = 10_000): Promise<void> {
  const endMs = Date.now() + msMax;
  while (!(await holds())) {
    if (Date.now() > endMs) throw new Error(`Not true within ${msMax} ms: ${String(holds)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}
