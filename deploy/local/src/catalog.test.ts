import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { appToShow, firstApp, openCatalogClient, refusal } from './catalog.js';
import { builtLayout } from './layout.js';
import { messageOf } from './start-error.js';

interface Catalog {
  readonly publishers: readonly { readonly apps: readonly App[] }[];
  readonly advertisers: readonly { readonly campaigns: readonly Campaign[] }[];
}
interface App {
  readonly app_key: string;
  readonly package_name: string;
  readonly placements: readonly { readonly format: string }[];
}
interface Campaign {
  readonly status?: string;
  readonly countries?: readonly string[];
  readonly targeting?: object;
  readonly budget_daily?: number;
  readonly creatives: readonly { readonly format: string }[];
}

describe('the demo catalog', () => {
  const text = readFileSync(builtLayout.demoCatalogFile, 'utf8');
  const { publishers, advertisers } = parse(text) as Catalog;

  it('shows the app of the documentation first', () => {
    expect(firstApp(text)).to.deep.equal({
      appKey: 'app_0123456789abcdefghijABCD',
      packageName: 'com.sunrise.puzzle',
    });
  });

  for (const format of ['banner', 'interstitial', 'rewarded']) {
    it(`has a ${format} placement and a campaign that fills it from anywhere, at any time of the day`, () => {
      const placements = publishers[0]!.apps[0]!.placements;
      expect(placements.some((placement) => placement.format === format)).to.equal(true);
      const campaigns = advertisers.flatMap((advertiser) => advertiser.campaigns);
      const open = campaigns.filter(
        ({ status = 'active', countries = [], targeting, budget_daily: daily }) =>
          status === 'active' && countries.length === 0 && targeting === undefined && daily === undefined,
      );
      expect(open.some(({ creatives }) => creatives.some((creative) => creative.format === format))).to.equal(
        true,
      );
    });
  }
});

describe('the app that a start shows', () => {
  const app = (key: string, isApproved: boolean): object => ({
    app_key: key,
    package_name: `com.${key}`,
    approved: isApproved,
  });

  it('is an approved one of an approved publisher where there is one', () => {
    const publishers = [
      { approved: false, apps: [app('a', true)] },
      { approved: true, apps: [app('b', false), app('c', true)] },
    ];
    expect(firstApp(JSON.stringify({ publishers }))?.appKey).to.equal('c');
  });

  it('is else the first, and none in an empty catalog', () => {
    expect(firstApp(JSON.stringify({ publishers: [{ apps: [app('a', false)] }] }))?.appKey).to.equal('a');
    expect(firstApp('')).to.equal(null);
    expect(firstApp('publishers: []')).to.equal(null);
  });
});

describe('the app that a start shows after a file was applied', () => {
  const one = (key: string): string =>
    JSON.stringify({
      publishers: [{ approved: true, apps: [{ app_key: key, package_name: 'com.x', approved: true }] }],
    });

  it('is that of the file when the stored catalog has it, else a stored one', () => {
    expect(appToShow(one('app_b'), one('app_a') + one('app_b'))?.appKey).to.equal('app_b');
    expect(appToShow(one('app_b'), one('app_a'))?.appKey).to.equal('app_a');
    expect(appToShow('advertisers: []', one('app_a'))?.appKey).to.equal('app_a');
  });
});

describe('a catalog file that is not UTF-8', () => {
  it('ends a start with the place, before anything is sent', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'placard-catalog-'));
    const file = path.join(folder, 'catalog.yaml');
    writeFileSync(file, Buffer.from('global: {}\n# R\u00e9f\n', 'latin1'));
    const client = openCatalogClient('127.0.0.1:9');
    const fault = await client.apply(file, { onlyIfEmpty: false }).then(() => 'none', messageOf);
    client.close();
    rmSync(folder, { recursive: true });
    expect(fault).to.equal(
      `The catalog file ${file} is not UTF-8: line 2, byte 4 of that line. Save it as UTF-8 and start again.`,
    );
  });
});

describe('a refused catalog file', () => {
  it('is told with every fault on a line of its own', () => {
    expect(refusal('x.yaml', ['a: one', 'b: two']).split('\n')).to.have.length(3);
  });

  it('with thousands of faults is told with how many more there are', () => {
    const faults = Array.from({ length: 1_000 }, (_, index) => `apps[${index}]: bad`);
    expect(refusal('x.yaml', faults)).to.match(/… and 800 more$/);
  });
});
