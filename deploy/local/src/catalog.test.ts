import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { appToShow, openCatalogClient, refusal } from './catalog.js';
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
    expect(appToShow(text, text)).to.deep.equal({
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
  const app = (key: string, isApproved = true): object => ({
    app_key: key,
    package_name: `com.${key}`,
    approved: isApproved,
  });
  const catalog = (...apps: object[]): string => JSON.stringify({ publishers: [{ approved: true, apps }] });

  it('is an approved app of an approved publisher if there is one', () => {
    const publishers = [
      { approved: false, apps: [app('a')] },
      { approved: true, apps: [app('b', false), app('c')] },
    ];
    expect(appToShow('', JSON.stringify({ publishers }))?.appKey).to.equal('c');
  });

  it('is otherwise the first app, and null in an empty catalog', () => {
    expect(appToShow('', catalog(app('a', false)))?.appKey).to.equal('a');
    expect(appToShow('', 'publishers: []')).to.equal(null);
    expect(appToShow('', '{}')).to.equal(null);
  });

  it('is the first that the applied file names when the stored catalog has it, else a stored one', () => {
    const stored = catalog(app('app_a'), app('app_b'), app('app_c'));
    expect(appToShow(catalog(app('app_c'), app('app_b')), stored)?.appKey).to.equal('app_c');
    expect(appToShow(catalog(app('app_x')), stored)?.appKey).to.equal('app_a');
    expect(appToShow('advertisers: []', stored)?.appKey).to.equal('app_a');
  });
});

describe('a catalog file that is not UTF-8', () => {
  it('ends a start with the place, before anything is sent', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'placard-catalog-'));
    const file = path.join(folder, 'catalog.yaml');
    writeFileSync(file, Buffer.from('global: {}\n# R\u00e9f\n', 'latin1'));
    const client = openCatalogClient({ url: 'http://127.0.0.1:9', key: '', tls: null });
    const fault = await client.apply(file, { onlyIfEmpty: false }).then(() => 'none', messageOf);
    client.close();
    rmSync(folder, { recursive: true });
    expect(fault).to.equal(
      `The catalog file ${file} is not UTF-8: line 2, byte 4 of that line. Save it as UTF-8 and try again.`,
    );
  });
});

describe('a refused catalog file', () => {
  it('of more than 256 MiB is refused like by `placard catalog apply`, before it is read', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'placard-catalog-'));
    const file = path.join(folder, 'huge.json');
    writeFileSync(file, '');
    truncateSync(file, 256 * 1024 * 1024 + 1);
    const client = openCatalogClient({ url: 'http://127.0.0.1:1', key: '', tls: null });
    try {
      const error: unknown = await client
        .apply(file, { onlyIfEmpty: false })
        .catch((fault: unknown) => fault);
      expect(String(error)).to.contain(
        `${file} has 268435457 bytes, and a catalog file may have 268435456 (256 MiB); split it, or write it as JSON.`,
      );
    } finally {
      client.close();
      rmSync(folder, { recursive: true });
    }
  });

  it('is reported with each fault on a line of its own', () => {
    expect(refusal('x.yaml', ['a: one', 'b: two']).split('\n')).to.have.length(3);
  });

  it('with thousands of faults is reported with the number of hidden ones', () => {
    const faults = Array.from({ length: 1_000 }, (_, index) => `apps[${index}]: bad`);
    expect(refusal('x.yaml', faults)).to.match(/… and 800 more$/);
  });
});

describe('the key of the page /try', () => {
  it('is created at the first start, kept for its owner alone, and created anew once it is not valid', async () => {
    const valid = new Set<string>();
    const server = createServer((request, response) => {
      if (request.method === 'POST') {
        const text = `plk_${valid.size}`;
        valid.add(text);
        response.writeHead(201).end(JSON.stringify({ text }));
      } else {
        const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
        response.writeHead(valid.has(key) ? 200 : 401).end('{}');
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const folder = mkdtempSync(path.join(tmpdir(), 'placard-key-'));
    const file = path.join(folder, 'read');
    const client = openCatalogClient({ url: `http://127.0.0.1:${port}`, key: 'plk_admin', tls: null });
    try {
      expect([await client.openReadKey(file), await client.openReadKey(file)]).to.deep.equal([
        'plk_0',
        'plk_0',
      ]);
      expect(statSync(file).mode & 0o777).to.equal(0o600);
      valid.delete('plk_0');
      valid.add('another');
      expect(await client.openReadKey(file)).to.equal('plk_1');
    } finally {
      client.close();
      server.close();
      rmSync(folder, { recursive: true });
    }
  });
});
