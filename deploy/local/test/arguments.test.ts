import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { parseStartArguments } from '../bootstrap/arguments.mjs';
import { rootDir } from '../src/layout.js';

const folders = { root: '/repo', cwd: '/home/me' };

describe('arguments of npm start', () => {
  it('have the documented defaults', () => {
    expect(parseStartArguments([], {}, folders).options).to.deep.equal({
      catalog: null,
      dataDir: '/repo/.data',
      port: 8080,
      topology: { replicas: 1, redisCluster: null },
    });
  });

  it('are relative to the user’s folder, in both spellings', () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'placard-arguments-'));
    writeFileSync(path.join(dir, 'c.yaml'), '');
    const argv = ['--data', 'd', '--catalog=c.yaml', '--port', '8081', '--replicas', '2'];
    expect(parseStartArguments(argv, {}, { root: '/repo', cwd: dir }).options).to.deep.equal({
      catalog: path.join(dir, 'c.yaml'),
      dataDir: path.join(dir, 'd'),
      port: 8081,
      topology: { replicas: 2, redisCluster: null },
    });
    rmSync(dir, { recursive: true });
  });

  it('override PORT, which overrides the default', () => {
    expect(parseStartArguments([], { PORT: '9000' }, folders).options?.port).to.equal(9000);
    expect(parseStartArguments(['--port', '9001'], { PORT: '9000' }, folders).options?.port).to.equal(9001);
    expect(parseStartArguments([], { PORT: '' }, folders).options?.port).to.equal(8080);
  });

  const refused: readonly [readonly string[], Record<string, string>, RegExp][] = [
    [['--prune'], {}, /^Unknown argument --prune\./],
    [['file.yaml'], {}, /^Unknown argument file\.yaml\./],
    [
      ['--data', 'R\ufffdf'],
      {},
      /^Argument 2 is not UTF-8 at its character 2\. Type it in [^.]+ \(such as LANG=C\.UTF-8\)\. See/,
    ],
    [['--catalog=\ufffd'], {}, /^Argument 1 is not UTF-8 at its character 11\. Type it in /],
    [['\u001b[2K\nok\u202e'], {}, /^Unknown argument \\u\{1b\}\[2K\\u\{a\}ok\\u\{202e\}\. See/],
    [['--data'], {}, /^--data needs a value\./],
    [['--data='], {}, /^--data needs a value\./],
    [['--port', '0'], {}, /^--port must be a whole number/],
    [['--port', '65536'], {}, /^--port must be a whole number/],
    [['--port', '80a'], {}, /^--port must be a whole number/],
    [['--replicas', '0'], {}, /^--replicas must be a whole number from 1 to 9\./],
    [['--replicas=10'], {}, /^--replicas must be a whole number from 1 to 9\./],
    [[], { PORT: 'x' }, /^PORT must be a whole number/],
    [['--catalog', 'nowhere.yaml'], {}, /^Cannot read the catalog file \/home\/me\/nowhere\.yaml\./],
    [['--catalog', '/'], {}, /^Cannot read the catalog file/],
  ];
  for (const [argv, env, wanted] of refused) {
    it(`${JSON.stringify(argv)} ${JSON.stringify(env)} is refused with one line`, () => {
      const { fault } = parseStartArguments(argv, env, folders);
      expect(fault).to.match(wanted);
      expect(fault).not.to.include('\n');
    });
  }

  it('end the command before anything is installed when they are unknown', () => {
    const script = path.join(rootDir, 'deploy', 'local', 'start.mjs');
    const done = spawnSync(process.execPath, [script, '--nope'], { encoding: 'utf8' });
    expect(done.status).to.equal(2);
    expect(done.stdout).to.equal('');
    expect(done.stderr.trim().split('\n')).to.have.length(1);
  });

  it('are listed by --help', () => {
    const script = path.join(rootDir, 'deploy', 'local', 'start.mjs');
    const text = execFileSync(process.execPath, [script, '--help'], { encoding: 'utf8' });
    for (const option of ['--catalog', '--data', '--port', '--replicas', '--help'])
      expect(text).to.include(option);
  });
});
