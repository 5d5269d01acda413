import { expect } from 'chai';
import { callerNamedBy } from './callers.js';

describe('the name in a certificate', () => {
  for (const [names, caller] of [
    ['DNS:serving-service', 'serving-service'],
    ['DNS:serving-service.placard.svc.cluster.local', 'serving-service'],
    ['DNS:gateway, DNS:gateway.placard.svc, IP Address:127.0.0.1', 'gateway'],
    ['URI:spiffe://cluster.local/ns/placard/sa/events-service', 'events-service'],
    ['DNS:localhost, URI:spiffe://placard/operator', 'operator'],
  ] as const) {
    it(`is ${caller} for ${names}`, () => {
      expect(callerNamedBy(names)).to.equal(caller);
    });
  }

  for (const [what, names] of [
    ['a foreign name', 'DNS:billing-service'],
    ['a name that only begins like a caller', 'DNS:gateway-of-others'],
    ['a caller below another label', 'DNS:canary.gateway'],
    ['a wildcard', 'DNS:*.placard.svc'],
    ['a SPIFFE authority without a path', 'URI:spiffe://operator'],
    ['another URI', 'URI:https://placard/operator'],
    ['an address', 'IP Address:127.0.0.1'],
    ['a quoted name that holds a second one', 'DNS:"x, DNS:operator"'],
    ['no name', undefined],
  ] as const) {
    it(`is nobody's for ${what}`, () => {
      expect(callerNamedBy(names)).to.equal('unknown');
    });
  }

  it('is that of several for two callers, and of one for two names of it', () => {
    expect(callerNamedBy('DNS:gateway, DNS:operator')).to.equal('several');
    expect(callerNamedBy('DNS:gateway, URI:spiffe://placard/gateway')).to.equal('gateway');
  });
});
