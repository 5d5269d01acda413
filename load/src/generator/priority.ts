import { writeFileSync } from 'node:fs';
import os from 'node:os';

/** Linux shares CPU between sessions first, so the priority of a process counts only within its session. */
const SESSION_PRIORITY_FILE = '/proc/self/autogroup';

/**
 * Asks the system for CPU before the product, since an open loop stands for phones, which have CPU of their own. The process
 * must have a session of its own. The system may refuse it. Then the lateness of the generator shows whether it had enough.
 */
export function askForPriority(): void {
  const { PRIORITY_HIGH: priority } = os.constants.priority;
  try {
    os.setPriority(priority);
    writeFileSync(SESSION_PRIORITY_FILE, String(priority));
  } catch {
    return;
  }
}
