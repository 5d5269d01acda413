import { expect } from 'chai';
import { exampleWith } from '../../../../test/support/catalog-text.js';
import { judge, storedAfter } from '../../../../test/support/judge.js';
import { clickAddress, fileAddress } from '../field-types.js';

const CREATIVE = 'advertisers[0].campaigns[0].creatives[0]';
const URL_LINE = 'url: https://cdn.example.com/spring-320x50.png';

/** The faults of the example with a demo file, and the lines of its creative from `width` on. */
function faultsWith(file: string, facts = 'width: 320\n            height: 50'): readonly string[] {
  const text = exampleWith(URL_LINE, `url: /creatives/demo/${file}`);
  return judge(text.replace('width: 320\n            height: 50', facts)).faults;
}

describe('a demo file', () => {
  it('is named by its path as the url of a creative, which is kept unchanged', () => {
    const { faults, changes } = judge(exampleWith(URL_LINE, 'url: /creatives/demo/spring-320x50.png'));
    expect(faults).to.deep.equal([]);
    const creative = storedAfter(changes).find(({ kind }) => kind === 'creative');
    expect(creative?.fields['url']).to.equal('/creatives/demo/spring-320x50.png');
  });

  it('that does not exist is refused with the names of those that do', () => {
    for (const file of ['', 'none.png', 'spring-320x50.png?a', '../test/banner.png', 'constructor']) {
      const [fault] = faultsWith(file);
      expect(fault, file).to.match(
        /creatives\[0\]\.url: must name a demo file after \/creatives\/demo\/: .*spring-320x50\.png/,
      );
    }
  });

  it('is no target of a click', () => {
    const faults: string[] = [];
    clickAddress('/creatives/demo/spring-320x50.png', (message) => faults.push(message));
    expect(faults).to.have.length(1);
    expect(fileAddress('/creatives/test/banner.png', (message) => faults.push(message))).to.equal(undefined);
    expect(faults[1]).to.equal('must be an address that begins with https:// or /creatives/demo/');
  });

  it('has a type and a size, and a creative that says others is refused', () => {
    expect(faultsWith('spring-728x90.png')).to.deep.equal([
      `${CREATIVE}.width: must be 728, as in the demo file of its url`,
      `${CREATIVE}.height: must be 90, as in the demo file of its url`,
    ]);
    expect(faultsWith('galaxy-10s.mp4', 'width: 720\n            height: 1280')).to.deep.equal([
      `${CREATIVE}.type: must be video, as in the demo file of its url`,
    ]);
  });

  it('has a length, and a creative that says another is refused', () => {
    const text = exampleWith(URL_LINE, 'url: /creatives/demo/galaxy-10s.mp4')
      .replace('type: image', 'type: video')
      .replace('width: 320\n            height: 50', 'width: 720\n            height: 1280');
    const lasting = (seconds: string): readonly string[] =>
      judge(text.replace('duration_seconds: null', `duration_seconds: ${seconds}`)).faults;
    expect(lasting('10')).to.deep.equal([]);
    expect(lasting('30')).to.deep.equal([
      `${CREATIVE}.duration_seconds: must be 10, as in the demo file of its url`,
    ]);
  });

  it('may be named by a creative that does not say its size', () => {
    expect(faultsWith('spring-728x90.png', 'width: null\n            height: null')).to.deep.equal([]);
  });

  it('is refused for a stored creative of another size', () => {
    const stored = storedAfter(judge(exampleWith('width: 320', 'width: 300')).changes);
    const change = `advertisers:
  - id: adv_northwind
    campaigns:
      - id: cmp_spring
        creatives: [{ id: cr_spring_banner, url: /creatives/demo/spring-320x50.png }]
`;
    expect(judge(change, stored).faults).to.deep.equal([
      `${CREATIVE}.width: must be 320, as in the demo file of its url`,
    ]);
  });
});
