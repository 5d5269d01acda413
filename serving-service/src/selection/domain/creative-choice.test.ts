import { expect } from 'chai';
import { makeTestRandom } from '@placard/service-kit/testing';
import { asCreativeId, type AdFormat, type Creative } from '@placard/service-kit/pure';
import { aCreative } from '../../../test/support/world.js';
import { chooseCreative, toScreen } from './creative-choice.js';

type Size = readonly [width: number | null, height: number | null];

/** The creatives that may be chosen, as their numbers; each draw is tried. */
function chosen(format: AdFormat, sizes: readonly Size[], screen: Size): number[] {
  const creatives = sizes.map(([width, height], n) =>
    aCreative({ id: asCreativeId(`cr_${n}`), format, width, height }),
  );
  const draws = creatives.length === 0 ? [0] : creatives.map((_, n) => n / creatives.length);
  const found = draws.flatMap((draw): Creative[] => {
    const one = chooseCreative(creatives, format, toScreen(...screen), {
      ...makeTestRandom(1),
      next: () => draw,
    });
    return one === null ? [] : [one];
  });
  return [...new Set(found.map(({ id }) => Number(id.slice(3))))].sort();
}

describe('the choice of a creative', () => {
  it('is none of none', () => {
    for (const format of ['banner', 'rewarded'] as const)
      expect(chosen(format, [], [100, 100])).to.deep.equal([]);
  });

  it('takes 0 for an extent that is not given', () => {
    expect(toScreen(0, 5)).to.deep.equal({ width: null, height: 5 });
    expect(toScreen(5, 0)).to.deep.equal({ width: 5, height: null });
    expect(toScreen(null, 1)).to.deep.equal({ width: null, height: 1 });
  });

  describe('of banners', () => {
    const banners = (sizes: readonly Size[], screen: Size) => chosen('banner', sizes, screen);

    it('takes the widest that fit, several of the same width alike', () => {
      const sizes: readonly Size[] = [
        [300, 50],
        [320, 50],
        [728, 90],
        [320, 100],
      ];
      expect(banners(sizes, [320, 480])).to.deep.equal([1, 3]);
      expect(banners(sizes, [319, 480])).to.deep.equal([0]);
      expect(banners(sizes, [1_000, 89])).to.deep.equal([1]);
      expect(banners(sizes, [1_000, 49])).to.deep.equal([]);
    });

    it('takes those without a whole size only when no other fits, and leaves out a known extent that does not', () => {
      const sizes: readonly Size[] = [
        [null, null],
        [1, 50],
        [200, null],
        [null, 20],
      ];
      expect(banners(sizes, [320, 480])).to.deep.equal([1]);
      expect(banners(sizes, [320, 30])).to.deep.equal([0, 2, 3]);
      expect(banners(sizes, [199, 19])).to.deep.equal([0]);
    });

    it('takes any where no screen is given, and looks at the one extent that is', () => {
      const sizes: readonly Size[] = [
        [300, 50],
        [728, 90],
      ];
      expect(banners(sizes, [null, null])).to.deep.equal([0, 1]);
      expect(banners(sizes, [0, 0])).to.deep.equal([0, 1]);
      expect(banners(sizes, [400, null])).to.deep.equal([0]);
      expect(banners(sizes, [null, 50])).to.deep.equal([0]);
    });
  });

  describe('of others', () => {
    const others = (sizes: readonly Size[], screen: Size) => chosen('interstitial', sizes, screen);
    const PORTRAIT: Size = [100, 200];
    const LANDSCAPE: Size = [200, 100];
    const SQUARE: Size = [100, 100];
    const UNSIZED: Size = [100, null];

    it('takes those of the screen’s orientation; squares fit every screen, and the reverse', () => {
      const sizes = [PORTRAIT, LANDSCAPE, SQUARE, UNSIZED];
      expect(others(sizes, [10, 20])).to.deep.equal([0, 2]);
      expect(others(sizes, [20, 10])).to.deep.equal([1, 2]);
      expect(others(sizes, [10, 10])).to.deep.equal([0, 1, 2]);
    });

    it('takes those without a whole size when no orientation fits, and else any', () => {
      expect(others([LANDSCAPE, UNSIZED, [null, 100]], [10, 20])).to.deep.equal([1, 2]);
      expect(others([LANDSCAPE, [300, 100]], [10, 20])).to.deep.equal([0, 1]);
      expect(others([LANDSCAPE], [10, 20])).to.deep.equal([0]);
    });

    it('takes any where an extent of the screen is not given', () => {
      for (const screen of [
        [null, null],
        [10, null],
        [null, 20],
        [0, 20],
      ] as const)
        expect(others([PORTRAIT, LANDSCAPE, UNSIZED], screen)).to.deep.equal([0, 1, 2]);
    });
  });
});
