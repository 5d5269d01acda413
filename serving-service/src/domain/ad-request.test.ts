import { expect } from 'chai';
import { refiningTexts } from './ad-request.js';

describe('the refining texts of a request', () => {
  it('are null where they are not given, and as they are given else', () => {
    expect(refiningTexts({})).to.deep.equal({ language: null, androidVersion: null, country: null });
    expect(refiningTexts({ language: '', androidVersion: '14', country: undefined })).to.deep.equal({
      language: '',
      androidVersion: '14',
      country: null,
    });
  });
});
