import { systemRandom } from '@placard/service-kit/pure';
import { expect } from 'chai';
import { makeKeyText, readKeyText } from './api-key.js';

describe('the text of an API key', () => {
  it('holds its id and 256 unpredictable bits, and no two are alike', () => {
    const one = makeKeyText(systemRandom);
    const other = makeKeyText(systemRandom);
    expect(one.text).to.match(/^plk_[0-9a-f]{16}_[0-9a-f]{64}$/);
    expect(one.text).to.include(one.id.replace('key_', 'plk_'));
    expect(one.id).not.to.equal(other.id);
    expect(one.text.slice(-64)).not.to.equal(other.text.slice(-64));
  });

  it('is read with its id', () => {
    const made = makeKeyText(systemRandom);
    expect(readKeyText(made.text)).to.deep.equal(made);
  });

  it('is refused in every other spelling', () => {
    const { text } = makeKeyText(systemRandom);
    for (const other of [
      '',
      text.slice(1),
      `${text}0`,
      text.toUpperCase(),
      `${text}\n`,
      text.replace('plk', 'pls'),
    ])
      expect(readKeyText(other), other).to.equal(null);
  });
});
