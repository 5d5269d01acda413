import { expect } from 'chai';
import {
  compareVersions,
  lockWithVersions,
  versionsAfter,
  withoutVersions,
  withVersions,
} from './versions.js';

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

  const versions = new Map([
    ['placard', '0.3.0'],
    ['@placard/gateway', '0.2.0'],
    ['@placard/protos', '0.3.0'],
  ]);
  const gateway = {
    name: '@placard/gateway',
    version: '0.1.0',
    dependencies: { '@placard/protos': '0.1.0', express: '0.1.0' },
  };

  it('rise for the changed services, and for everything that is no service', () => {
    const names = ['placard', '@placard/gateway', '@placard/fraud-service', '@placard/protos'];
    const manifests = names.map((name) => ({ name, version: '0.2.0' }));
    expect([...versionsAfter(manifests, ['fraud-service'], '0.3.0')]).to.deep.equal([
      ['placard', '0.3.0'],
      ['@placard/gateway', '0.2.0'],
      ['@placard/fraud-service', '0.3.0'],
      ['@placard/protos', '0.3.0'],
    ]);
  });

  it('are set in a package and its dependencies of the repository, and not in foreign ones', () => {
    expect(withVersions(gateway, versions)).to.deep.equal({
      ...gateway,
      version: '0.2.0',
      dependencies: { '@placard/protos': '0.3.0', express: '0.1.0' },
    });
  });

  it('are no difference between two manifests, but those of foreign packages are', () => {
    const released = withVersions(gateway, versions);
    expect(withoutVersions(released)).to.deep.equal(withoutVersions(gateway));
    const updated = { ...released, dependencies: { ...released.dependencies, express: '0.2.0' } };
    expect(withoutVersions(updated)).not.to.deep.equal(withoutVersions(gateway));
  });

  it('are set in the lock for the packages of the repository alone', () => {
    const foreign = { name: '@placard/gateway', version: '0.1.0' };
    const lock = {
      name: 'placard',
      version: '0.1.0',
      packages: {
        '': { name: 'placard', version: '0.1.0' },
        gateway,
        'node_modules/ms': foreign,
        'gateway/node_modules/ms': foreign,
      },
    };
    expect(lockWithVersions(lock, versions)).to.deep.equal({
      name: 'placard',
      version: '0.3.0',
      packages: {
        '': { name: 'placard', version: '0.3.0' },
        gateway: withVersions(gateway, versions),
        'node_modules/ms': foreign,
        'gateway/node_modules/ms': foreign,
      },
    });
  });
});
