import { userInfo } from 'node:os';
import { runPlacard } from './program.js';
import { openOutput, outputFault } from './standard-output.js';

const output = openOutput(process.stdout);
// Standard error is closed, so the error cannot be reported.
process.stderr.on('error', () => undefined);
const err = (text: string): unknown => process.stderr.write(text);
const status = await runPlacard(process.argv.slice(2), {
  env: process.env,
  out: (text) => output.write(text),
  err,
  userName: userName(),
});
const fault = await output.end();
if (fault !== null) err(outputFault(fault));
process.exitCode = fault === null ? status : 1;

/** The operating-system user. Undefined: it has no name, as in many containers. */
function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    return undefined;
  }
}
