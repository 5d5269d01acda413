import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Puts a script in the place of Docker's client: `bin/docker` below a folder. For tests. */
export function writeStandInDocker(dir: string, script: string): void {
  mkdirSync(path.join(dir, 'bin'));
  writeFileSync(path.join(dir, 'bin/docker'), script);
  chmodSync(path.join(dir, 'bin/docker'), 0o755);
}

/** Commits all files of a folder as a repository, but for its stand-in and the file `asked`. For tests. */
export function commitAll(dir: string): void {
  writeFileSync(path.join(dir, '.gitignore'), 'bin/\nasked\n');
  const as = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  for (const args of [['init'], ['add', '.'], [...as, 'commit', '-m', 'all']])
    execFileSync('git', ['-C', dir, ...args], { stdio: 'ignore' });
}
