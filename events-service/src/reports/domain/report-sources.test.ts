import { expect } from 'chai';
import { needsPlace, sourcesOf } from './report-sources.js';

describe('the sources of a report', () => {
  it('leave out requests, fallbacks and errors where rows are split by buyer', () => {
    for (const key of ['advertiser', 'campaign', 'creative'] as const)
      expect(sourcesOf(['hour', key], true)).to.deep.equal(['fills', 'events', 'rejections']);
  });

  it('leave out fallbacks by country when some were counted without one', () => {
    const all = ['requests', 'fills', 'events', 'fallbacks', 'rejections'];
    expect(sourcesOf([], false)).to.deep.equal([...all, 'errors']);
    expect(sourcesOf(['app'], false)).to.deep.equal([...all, 'errors']);
    expect(sourcesOf(['country'], true)).to.deep.equal(all);
    expect(sourcesOf(['country'], false)).to.deep.equal(all.filter((source) => source !== 'fallbacks'));
  });

  it('are the requests by version alone where a key is a version, and none beside a key without versions', () => {
    expect(sourcesOf(['app', 'sdk_version', 'country'], true)).to.deep.equal(['versions']);
    for (const key of ['placement', 'campaign'] as const)
      expect(sourcesOf(['app_version', key], true)).to.deep.equal([]);
  });

  it('report whether a key is held only by what names an app', () => {
    expect(needsPlace([])).to.equal(false);
    expect(needsPlace(['hour', 'day'])).to.equal(false);
    expect(needsPlace(['hour', 'app'])).to.equal(true);
  });
});
