// Checks the settings of all processes without opening anything. Faults are printed on standard output, with status 78.
import { CHECKS_NAME, EXIT_CONFIG, settingsFaults, type SettingsCheck } from './settings-faults.js';

const checks = JSON.parse(process.env[CHECKS_NAME] ?? '[]') as readonly SettingsCheck[];
const faults = await settingsFaults(checks, process.env);
if (faults !== null) {
  process.stdout.write(`${faults}\n`);
  process.exitCode = EXIT_CONFIG;
}
