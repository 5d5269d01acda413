// Reads the settings of all processes in one that opens nothing; wrong ones are told on standard output, with status 78.
import { CHECKS_NAME, EXIT_CONFIG, settingsFaults, type SettingsCheck } from './settings-faults.js';

const checks = JSON.parse(process.env[CHECKS_NAME] ?? '[]') as readonly SettingsCheck[];
const faults = await settingsFaults(checks, process.env);
if (faults !== null) {
  process.stdout.write(`${faults}\n`);
  process.exitCode = EXIT_CONFIG;
}
