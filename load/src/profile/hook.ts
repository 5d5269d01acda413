import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector';
import path from 'node:path';
import { processName } from '../preload/process-name.js';

// Loaded into the product's processes before anything else, when they are profiled. The first SIGUSR2 begins a profile, the
// second writes it. So the profile covers only the load, not the start.
const dir = process.env['PLACARD_PROFILE_DIR'];
const label = processName(process.argv[1]);
if (dir !== undefined && label !== null) {
  const session = new Session();
  let isOn = false;
  process.on('SIGUSR2', () => {
    if (isOn) {
      session.post('Profiler.stop', (error, { profile }) => {
        if (error === null) writeFileSync(path.join(dir, `${label}.cpuprofile`), JSON.stringify(profile));
      });
    } else {
      session.connect();
      session.post('Profiler.enable');
      session.post('Profiler.setSamplingInterval', { interval: 500 });
      session.post('Profiler.start');
    }
    isOn = !isOn;
  });
}
