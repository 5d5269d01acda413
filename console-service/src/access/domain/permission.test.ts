import { expect } from 'chai';
import {
  actorText,
  mayMoveMoney,
  namedObject,
  refusalOf,
  tenantOf,
  type Asked,
  type Tenant,
} from './permission.js';

const SUNRISE = { kind: 'publisher', id: 'pub_sunrise' } as const;
const OTHER = { kind: 'publisher', id: 'pub_other' } as const;

const asking = (owners: readonly (Tenant | undefined)[]): Asked => ({ owners, hidden: [] });

describe('a role', () => {
  it('may call the operations that list its kind, and no others', () => {
    expect(refusalOf({ kind: 'finance' }, ['admin', 'finance'], asking([]))).to.equal(null);
    expect(refusalOf({ kind: 'finance' }, ['admin', 'adops'], asking([]))).to.equal('role');
    expect(refusalOf({ kind: 'admin' }, ['finance'], asking([]))).to.equal('role');
    expect(refusalOf(SUNRISE, ['admin', 'advertiser'], asking([SUNRISE]))).to.equal('role');
  });

  it('without a tenant may name everything', () => {
    expect(tenantOf({ kind: 'readonly' })).to.equal(null);
    expect(refusalOf({ kind: 'readonly' }, ['readonly'], asking([OTHER, undefined]))).to.equal(null);
  });

  it('of a tenant may name what the tenant owns, or nothing', () => {
    expect(tenantOf(SUNRISE)).to.deep.equal(SUNRISE);
    expect(refusalOf(SUNRISE, ['publisher'], asking([]))).to.equal(null);
    expect(refusalOf(SUNRISE, ['publisher'], asking([SUNRISE, SUNRISE]))).to.equal(null);
  });

  it('of a tenant may name nothing of another owner, not even beside its own', () => {
    const advertiser = { kind: 'advertiser', id: 'pub_sunrise' } as const;
    for (const owner of [OTHER, advertiser, undefined])
      expect(refusalOf(SUNRISE, ['publisher', 'advertiser'], asking([SUNRISE, owner]))).to.equal('tenant');
  });
});

describe('a role that asks for what is hidden from it', () => {
  it('is refused, unless it may not call the operation or names what it does not own', () => {
    const asked: Asked = { owners: [SUNRISE], hidden: ['by=campaign'] };
    expect(refusalOf(SUNRISE, ['publisher'], asked)).to.equal('hidden');
    expect(refusalOf(SUNRISE, ['admin'], asked)).to.equal('role');
    expect(refusalOf(SUNRISE, ['publisher'], { ...asked, owners: [OTHER] })).to.equal('tenant');
  });
});

describe('money', () => {
  it('is moved by admin and finance alone', () => {
    for (const kind of ['admin', 'finance'] as const) expect(mayMoveMoney({ kind }), kind).to.equal(true);
    for (const kind of ['adops', 'readonly'] as const) expect(mayMoveMoney({ kind }), kind).to.equal(false);
    expect(mayMoveMoney(SUNRISE)).to.equal(false);
  });
});

describe('an account that a request names', () => {
  it('belongs to its publisher or advertiser, and other accounts to nobody', () => {
    expect(namedObject({ kind: 'account', id: 'publisher:pub_sunrise' })).to.deep.equal(SUNRISE);
    for (const id of ['platform', 'pub_sunrise', ':pub_sunrise', ''])
      expect(namedObject({ kind: 'account', id }).kind, id).to.equal('');
  });
});

describe('an actor in the audit', () => {
  it('has its id and its name', () => {
    expect(actorText({ id: 'key_1', name: 'laptop of Ann' })).to.equal('key_1 (laptop of Ann)');
  });
});
