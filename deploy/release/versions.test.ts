import { expect } from 'chai';
import { compareVersions, lockWithVersion, withVersion } from './versions.js';

describe('versions of a release', () => {
  const rows: readonly [string, string, number | null][] = [
    ['0.1.0', '0.1.0', 0],
    ['0.2.0', '0.1.9', 1],
    ['0.10.0', '0.9.0', 1],
    ['1.0.0', '0.99.99', 1],
    ['0.1.0', '0.1.1', -1],
    ['0.1', '0.1.0', null],
    ['v0.2.0', '0.1.0', null],
    ['0.2.0-rc.1', '0.1.0', null],
    ['0.02.0', '0.1.0', null],
  ];
  for (const [a, b, order] of rows) {
    it(`${a} against ${b}: ${order ?? 'no version'}`, () => {
      const compared = compareVersions(a, b);
      expect(compared === null ? null : Math.sign(compared)).to.equal(order);
    });
  }

  it('are set in a package and its dependencies of the repository, and not in foreign ones', () => {
    const manifest = {
      name: '@placard/gateway',
      version: '0.1.0',
      dependencies: { '@placard/protos': '0.1.0', express: '0.1.0' },
    };
    expect(withVersion(manifest, '0.2.0')).to.deep.equal({
      ...manifest,
      version: '0.2.0',
      dependencies: { '@placard/protos': '0.2.0', express: '0.1.0' },
    });
  });

  it('are set in the lock for the packages of the repository alone', () => {
    const lock = {
      version: '0.1.0',
      packages: {
        '': { name: 'placard', version: '0.1.0' },
        gateway: { version: '0.1.0', dependencies: { '@placard/protos': '0.1.0' } },
        'node_modules/ms': { version: '0.1.0' },
        'gateway/node_modules/ms': { version: '0.1.0' },
      },
    };
    const { version, packages } = lockWithVersion(lock, '0.2.0');
    expect(version).to.equal('0.2.0');
    expect(packages).to.deep.equal({
      '': { name: 'placard', version: '0.2.0' },
      gateway: { version: '0.2.0', dependencies: { '@placard/protos': '0.2.0' } },
      'node_modules/ms': { version: '0.1.0' },
      'gateway/node_modules/ms': { version: '0.1.0' },
    });
  });
});
