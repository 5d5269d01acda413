import { pathToFileURL } from 'node:url';

/** Name of the variable with the list of {@link SettingsCheck} for `check-settings`, as JSON. */
export const CHECKS_NAME = 'PLACARD_SETTINGS_CHECKS';
/** Exit status for wrong settings (EX_CONFIG). */
export const EXIT_CONFIG = 78;

/** Name of the check for settings that all processes read. Its faults are not repeated for single processes. */
export const EVERY_PROCESS = 'every process';

/** The check of one process's settings by its own reader. */
export interface SettingsCheck {
  /** Its name, for the message. */
  readonly process: string;
  /** Absolute path of the module that exports the reader. */
  readonly module: string;
  /** Name of the reader: takes an environment, throws an error with a list of `faults`. */
  readonly reader: string;
  /** Its variables besides the shared environment. */
  readonly environment: NodeJS.ProcessEnv;
}

type Reader = (environment: NodeJS.ProcessEnv) => unknown;

/**
 * All faults of all processes in one text, one line each. A fault of several processes is listed once. Null: none. Rejects
 * when a reader is missing or fails in another way.
 */
export async function settingsFaults(
  checks: readonly SettingsCheck[],
  shared: NodeJS.ProcessEnv,
): Promise<string | null> {
  const finders = new Map<string, string[]>();
  for (const check of checks) {
    const exported = (await import(pathToFileURL(check.module).href)) as Record<string, Reader | undefined>;
    const read = exported[check.reader];
    if (read === undefined) throw new Error(`${check.module} does not export ${check.reader}`);
    for (const fault of faultsOf(read, { ...shared, ...check.environment })) {
      const before = finders.get(fault) ?? [];
      if (!before.includes(EVERY_PROCESS)) finders.set(fault, [...before, check.process]);
    }
  }
  if (finders.size === 0) return null;
  const lines = [...finders].map(([fault, processes]) => `  ${fault} (${processes.join(', ')})`);
  return ['Wrong settings:', ...lines, 'Correct them and start again.'].join('\n');
}

function faultsOf(read: Reader, environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    read(environment);
    return [];
  } catch (error) {
    const faults = error instanceof Error && 'faults' in error ? error.faults : null;
    if (!Array.isArray(faults)) throw error;
    return faults as string[];
  }
}
