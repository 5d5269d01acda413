import { expect } from 'chai';
import { placesOf } from './places.js';

describe('the places of an address', () => {
  it('are one for a name or an IP address, with or without a resolver', () => {
    for (const address of ['console:50057', 'dns:///console:50057'])
      expect(placesOf(address)).to.deep.equal([{ host: 'console', port: 50_057 }]);
    expect(placesOf('[::1]:1')).to.deep.equal([{ host: '::1', port: 1 }]);
  });

  it('are all of a list', () => {
    expect(placesOf('ipv4:127.0.0.1:1,127.0.0.2:2')).to.deep.equal([
      { host: '127.0.0.1', port: 1 },
      { host: '127.0.0.2', port: 2 },
    ]);
  });
});
