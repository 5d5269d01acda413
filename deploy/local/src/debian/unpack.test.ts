import { expect } from 'chai';
import { installedIn } from './unpack.js';

describe('packages of Debian that are unpacked', () => {
  it('are those that an installation would add, and not those that it would renew', () => {
    const simulated = [
      'Inst libc6 [2.36-9] (2.36-9+deb12u1 Debian:12.15/oldstable [amd64])',
      'Inst liblzf1 (3.6-3 Debian:12.15/oldstable [amd64])',
      'Inst redis-server (5:7.0.15-1~deb12u5 Debian:12.15/oldstable [amd64]) []',
      'Conf redis-server (5:7.0.15-1~deb12u5 Debian:12.15/oldstable [amd64])',
    ].join('\n');
    expect(installedIn(simulated)).to.deep.equal(['liblzf1', 'redis-server']);
  });
});
