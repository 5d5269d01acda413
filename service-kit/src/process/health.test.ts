import { expect } from 'chai';
import { Health } from './health.js';

describe('Health', () => {
  it('is not ready before a component is registered, nor while one starts', () => {
    const health = new Health();
    expect(health.isReady()).to.equal(false);
    health.register('postgres');
    expect(health.isReady()).to.equal(false);
    expect(health.components()).to.deep.equal({ postgres: { ok: false, detail: 'starting' } });
  });

  it('is ready when all required components are, and shows optional ones', () => {
    const health = new Health();
    const postgres = health.register('postgres');
    health.register('redis', { optional: true }).set(false, 'away');
    postgres.set(true);
    expect(health.isReady()).to.equal(true);
    expect(health.components()['redis']).to.deep.equal({ ok: false, detail: 'away' });
    postgres.set(false, 'gone');
    expect(health.isReady()).to.equal(false);
  });

  it('calls a listener at once, and then only when readiness changes', () => {
    const health = new Health();
    const part = health.register('part');
    const heard: boolean[] = [];
    health.onChange((isReady) => heard.push(isReady));
    part.set(true);
    part.set(true, 'still');
    part.set(false);
    expect(heard).to.deep.equal([false, true, false]);
  });
});
