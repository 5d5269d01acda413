import { expect } from 'chai';
import { EXAMPLE } from '../../../test/support/catalog-text.js';
import { readHere } from '../file/read-here.js';
import type { CatalogFile } from './read-catalog.js';

function fileOf(text: string): CatalogFile {
  const { file, faults } = readHere(text);
  expect(faults.list()).to.deep.equal([]);
  return file as CatalogFile;
}

function faultsOf(text: string): readonly string[] {
  return readHere(text).faults.list();
}

describe('what a catalog file says', () => {
  it('is its objects, parents before their children, each with its place and its sections', () => {
    const { objects, sections } = fileOf(EXAMPLE);
    expect([...sections]).to.deep.equal(['publisher', 'advertiser']);
    expect(
      objects.map(({ kind, id, parentId, path, sections: own }) => [kind, id, parentId, path, [...own]]),
    ).to.deep.equal([
      ['global', 'global', null, 'global', []],
      ['publisher', 'pub_sunrise', null, 'publishers[0]', ['app']],
      ['app', 'app_sunrise_puzzle', 'pub_sunrise', 'publishers[0].apps[0]', ['placement']],
      [
        'placement',
        'app_sunrise_puzzle/home_banner',
        'app_sunrise_puzzle',
        'publishers[0].apps[0].placements[0]',
        [],
      ],
      ['advertiser', 'adv_northwind', null, 'advertisers[0]', ['campaign']],
      ['campaign', 'cmp_spring', 'adv_northwind', 'advertisers[0].campaigns[0]', ['creative']],
      ['creative', 'cr_spring_banner', 'cmp_spring', 'advertisers[0].campaigns[0].creatives[0]', []],
    ]);
    for (const { faulty } of objects) expect(faulty.size).to.equal(0);
  });

  it('is no section where the file has none, and one where its list is empty', () => {
    expect([...fileOf('global: {}').sections]).to.deep.equal([]);
    expect([...fileOf('publishers: []').sections]).to.deep.equal(['publisher']);
    const { objects } = fileOf('publishers: [{ id: pub_a, apps: [] }, { id: pub_b }]');
    expect(objects.map(({ sections }) => [...sections])).to.deep.equal([['app'], []]);
  });

  it('is only what it gives; an explicit null is the default', () => {
    const { objects } = fileOf('advertisers: [{ id: adv_a, approved: null, name: A }]');
    expect([...(objects[0]?.given ?? [])]).to.deep.equal([
      ['name', 'A'],
      ['approved', false],
    ]);
  });

  it('is each list of targeting by itself', () => {
    const campaign = (targeting: string) =>
      fileOf(`advertisers: [{ id: adv_a, campaigns: [{ id: cmp_a, targeting: ${targeting} }] }]`).objects[1];
    expect([...(campaign('{ formats: [banner], app_ids: null }')?.given ?? [])]).to.deep.equal([
      ['targeting.formats', ['banner']],
      ['targeting.app_ids', []],
    ]);
    expect([...(campaign('null')?.given.keys() ?? [])]).to.deep.equal([
      'targeting.formats',
      'targeting.languages',
      'targeting.app_ids',
      'targeting.app_categories',
      'targeting.android_versions',
    ]);
    expect([...(campaign('{}')?.given ?? [])]).to.deep.equal([]);
  });

  it('names the fields that were reported as wrong', () => {
    const { file } = readHere('publishers: [{ id: pub_a, name: "", approved: 1, revenue_share: 1 }]');
    const [publisher] = file?.objects ?? [];
    expect([...(publisher?.faulty ?? [])]).to.deep.equal(['name', 'approved']);
    expect([...(publisher?.given.keys() ?? [])]).to.deep.equal(['revenue_share']);
  });
});

describe('the shape of a catalog file', () => {
  it('has mappings where objects stand', () => {
    expect(faultsOf('[]')).to.deep.equal(['file: must be a mapping with global, publishers and advertisers']);
    expect(faultsOf('global: []')).to.deep.equal(['global: must be a mapping']);
    expect(faultsOf('publishers: [1, { id: pub_a, apps: [x] }]')).to.deep.equal([
      'publishers[0]: must be a mapping that describes one publisher',
      'publishers[1].apps[0]: must be a mapping that describes one app',
    ]);
    expect(faultsOf('advertisers: [{ id: adv_a, campaigns: [{ id: cmp_a, targeting: [] }] }]')).to.deep.equal(
      ['advertisers[0].campaigns[0].targeting: must be a mapping'],
    );
  });

  it('has lists where objects of a kind stand', () => {
    expect(faultsOf('publishers: {}\nadvertisers: null')).to.deep.equal([
      'publishers: must be a list; write [] for none or leave it out',
      'advertisers: must be a list; write [] for none or leave it out',
    ]);
    const { file, faults } = readHere('publishers: [{ id: pub_a, apps: null }]');
    expect(faults.list()).to.deep.equal([
      'publishers[0].apps: must be a list; write [] for none or leave it out',
    ]);
    expect([...(file?.objects[0]?.sections ?? ['none'])]).to.deep.equal([]);
  });

  it('names the objects of each list by their own id, and each object once', () => {
    expect(faultsOf('publishers: [{ name: A }, { id: 5 }]')).to.deep.equal([
      'publishers[0].id: is required',
      'publishers[1].id: must be text; put it in quotes',
    ]);
    const { file, faults } = readHere(
      'advertisers: [{ id: adv_a }, { id: adv_a, campaigns: [{ id: cmp_a }] }]\npublishers: [{ id: adv_a }]',
    );
    expect(faults.list()).to.deep.equal(['advertisers[1].id: repeats the advertiser of advertisers[0]']);
    expect(file?.objects.map(({ kind, id }) => `${kind} ${id}`)).to.deep.equal([
      'publisher adv_a',
      'advertiser adv_a',
      'campaign cmp_a',
    ]);
  });

  it('lets placements of two apps have the same code', () => {
    const app = (id: string) => `{ id: ${id}, placements: [{ code: home }] }`;
    expect(faultsOf(`publishers: [{ id: pub_a, apps: [${app('app_a')}, ${app('app_b')}] }]`)).to.deep.equal(
      [],
    );
    expect(
      faultsOf(
        'publishers: [{ id: pub_a, apps: [{ id: app_a, placements: [{ code: home }, { code: home }] }] }]',
      ),
    ).to.deep.equal([
      'publishers[0].apps[0].placements[1].code: repeats the placement of publishers[0].apps[0].placements[0]',
    ]);
  });

  it('has no other keys, at any depth', () => {
    expect(
      faultsOf(
        'x: 1\nglobal: { y: 1 }\npublishers: [{ id: pub_a, targeting: {}, apps: [{ id: app_a, z: 1 }] }]',
      ),
    ).to.deep.equal([
      'global.y: unknown key',
      'publishers[0].apps[0].z: unknown key',
      'publishers[0].targeting: unknown key',
      'x: unknown key',
    ]);
  });

  it('clears no field that is required', () => {
    expect(faultsOf('publishers: [{ id: pub_a, name: null }]')).to.deep.equal([
      'publishers[0].name: is required and cannot be cleared',
    ]);
  });
});
