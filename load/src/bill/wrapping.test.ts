import { expect } from 'chai';
import { by, byFirst, made, madeFunction, methods, type Switch } from './replace.js';
import { obey, wrap } from './wrapping.js';

const makeSwitch = (): Switch => ({ isOff: false, uses: 0 });

describe('leaving parts of the product out', () => {
  it('is refused when a module no longer exports what the table names', () => {
    expect(() => wrap('gateway/dist/limits/middleware/admission.js', 'makeAdmissions', undefined)).to.throw(
      Error,
      'the export makeAdmissions of gateway/dist/limits/middleware/admission.js is no longer a function. Bring load/src/bill/parts up to date.',
    );
  });

  it('is refused when the result of a factory no longer has the method', () => {
    const replace = made({ claim: by(() => null) });
    const make = replace(() => ({ reserve: () => 1 }), makeSwitch());
    expect(() => make()).to.throw(Error, 'the method claim is no longer a function');
    expect(() => methods({ count: by(() => 0) })(Date, makeSwitch())).to.throw(
      Error,
      'the method count is no longer a function',
    );
  });

  it('calls the real function until the part is left out, and counts the uses of the stand-in', () => {
    const part = makeSwitch();
    const one = made({ answer: by(() => 'other') })(() => ({ answer: () => 'real' }), part)() as {
      answer(): string;
    };
    expect(one.answer()).to.equal('real');
    part.isOff = true;
    expect([one.answer(), one.answer(), part.uses]).to.deep.equal(['other', 'other', 2]);
    part.isOff = false;
    expect(one.answer()).to.equal('real');
  });

  it('also replaces the result of an asynchronous factory', async () => {
    const part = { isOff: true, uses: 0 };
    const make = madeFunction(by(() => 'US'))(() => Promise.resolve(() => 'DE'), part);
    expect(((await make()) as () => string)()).to.equal('US');
  });

  it('answers with the first good answer of the real function', async () => {
    const part = makeSwitch();
    let calls = 0;
    const ask = byFirst((answer) => answer !== 1)(() => Promise.resolve((calls += 1)), part);
    expect([await ask(), await ask(), await ask()]).to.deep.equal([1, 2, 3]);
    part.isOff = true;
    expect([await ask(), await ask(), part.uses]).to.deep.equal([2, 2, 2]);
  });

  it('sets one switch at a time and reports the uses of each part before', () => {
    const patched = wrap(
      'fraud-service/dist/usecase/judge-traffic.js',
      'makeJudgeTraffic',
      () => () => 'real',
    );
    const judge = patched() as () => unknown;
    obey({ order: 1, part: 'fraud-rules' });
    void judge();
    const report = obey({ order: 2, part: null });
    expect([report.order, report.uses['fraud-rules'], report.uses['caps']]).to.deep.equal([2, 1, 0]);
    expect(report.wrapped).to.include('fraud-service/dist/usecase/judge-traffic.js makeJudgeTraffic');
    expect(judge()).to.equal('real');
  });
});
