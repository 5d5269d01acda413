import { systemRandom } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { makeRecoveryCodes, readRecoveryCode } from './recovery-code.js';

describe('recovery codes', () => {
  it('are ten different ones', () => {
    expect(new Set(makeRecoveryCodes(systemRandom)).size).to.equal(10);
  });

  it('are read however they are typed', () => {
    const [code = ''] = makeRecoveryCodes(systemRandom);
    for (const typed of [
      code,
      code.toUpperCase(),
      code.replaceAll('-', ''),
      ` ${code.replaceAll('-', ' ')}\n`,
    ])
      expect(readRecoveryCode(typed), typed).to.equal(code);
  });

  it('are no other text', () => {
    for (const typed of ['', '123456', '0123-4567-89ab-cdef-012', 'g123-4567-89ab-cdef-0123'])
      expect(readRecoveryCode(typed), typed).to.equal(null);
  });
});
