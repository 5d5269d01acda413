import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { contractsFile, readReleases, withRelease, type Release } from './releases.js';
import { compareVersions } from './versions.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const release = (version: string): Release => ({ version, commit: `commit of ${version}` });

describe('the recorded releases', () => {
  it('are the last two, newest first', () => {
    const one = withRelease([], release('0.1.0'));
    const two = withRelease(one, release('0.2.0'));
    const three = withRelease(two, release('0.3.0'));
    expect([one, two, three].map((all) => all.map(({ version }) => version))).to.deep.equal([
      ['0.1.0'],
      ['0.2.0', '0.1.0'],
      ['0.3.0', '0.2.0'],
    ]);
  });

  it('are one or two, newest first, and have their contracts beside them', () => {
    const versions = readReleases(ROOT).map(({ version }) => version);
    expect(versions).to.have.length.within(1, 2);
    expect([...versions].sort((a, b) => compareVersions(b, a) ?? 0)).to.deep.equal(versions);
    const files = readdirSync(path.join(ROOT, path.dirname(contractsFile('')))).map((name) =>
      path.join(path.dirname(contractsFile('')), name),
    );
    expect(files).to.have.members(versions.map(contractsFile));
  });
});
