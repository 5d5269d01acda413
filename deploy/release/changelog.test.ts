import { expect } from 'chai';
import { releaseChangelog } from './changelog.js';

const DATE = '2026-12-01';

describe('the changelog of a release', () => {
  it('makes the unreleased entries the section of the version, above the earlier ones', () => {
    const text =
      '# Changelog\n\nIntro.\n\n## Unreleased\n\n### Added\n\n- a\n\n## 0.1.0 – 2026-11-01\n\n- b\n';
    expect(releaseChangelog(text, '0.2.0', DATE)).to.equal(
      '# Changelog\n\nIntro.\n\n## Unreleased\n\n## 0.2.0 – 2026-12-01\n\n### Added\n\n- a\n\n## 0.1.0 – 2026-11-01\n\n- b\n',
    );
  });

  it('makes the first section', () => {
    const text = '# Changelog\n\n## Unreleased\n\n- a\n';
    expect(releaseChangelog(text, '0.1.0', DATE)).to.equal(
      '# Changelog\n\n## Unreleased\n\n## 0.1.0 – 2026-12-01\n\n- a\n',
    );
  });

  it('refuses a release without entries, and a file without the section', () => {
    expect(() => releaseChangelog('# C\n\n## Unreleased\n\n## 0.1.0\n\n- b\n', '0.2.0', DATE)).to.throw(
      'no unreleased entries',
    );
    expect(() => releaseChangelog('# C\n', '0.2.0', DATE)).to.throw('no section');
  });
});
