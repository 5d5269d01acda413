import { expect } from 'chai';
import { phoneFaults, readScreen, type TriedPhone } from './tried-request.js';

describe('the phone of a tried request', () => {
  const allowed: readonly TriedPhone[] = [
    {},
    { country: 'AT', language: 'pt_BR', android_version: '8.1.0', screen: '1080x2400' },
    { country: 'at', language: 'de', android_version: '14', screen: '20000x0' },
  ];
  for (const phone of allowed)
    it(`may be ${JSON.stringify(phone)}`, () => {
      expect(phoneFaults(phone)).to.deep.equal([]);
    });

  const refused: readonly TriedPhone[] = [
    { country: 'ZZ' },
    { country: 'AUT' },
    { language: '12' },
    { android_version: 'Tiramisu' },
    { android_version: '10000' },
    { screen: '99999x1' },
    { screen: '1080x20001' },
    { screen: '1080' },
    { screen: '-1x5' },
  ];
  for (const phone of refused)
    it(`is refused with ${JSON.stringify(phone)}`, () => {
      const [[field, value] = []] = Object.entries(phone);
      const [fault, ...others] = phoneFaults(phone);
      expect([fault?.field, fault?.value, others]).to.deep.equal([field, value, []]);
      expect(fault?.detail).to.match(/^(must|is not) /);
    });

  it('is refused with all of its faults', () => {
    const faults = phoneFaults({ country: 'ZZ', android_version: 'Tiramisu', screen: '1x99999' });
    expect(faults.map(({ field }) => field)).to.deep.equal(['country', 'android_version', 'screen']);
  });

  it('has the width and the height of its screen', () => {
    expect(readScreen('1080x2400')).to.deep.equal({ width: 1_080, height: 2_400 });
  });
});
