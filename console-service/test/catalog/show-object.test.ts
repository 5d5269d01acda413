import { codeOf } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { writeText } from '../../src/catalog/file/write-text.js';
import { makeShowObject } from '../../src/catalog/usecase/show-object.js';
import { EXAMPLE } from '../support/catalog-text.js';
import { openTestCatalog, type TestCatalog } from '../support/open-catalog.js';

describe('an object of the catalog that is shown', () => {
  let catalog: TestCatalog;
  before(async () => {
    catalog = await openTestCatalog();
    await catalog.apply(EXAMPLE);
  });
  after(() => catalog.close());

  const show = async (id: string): Promise<string> => {
    const { tree } = await makeShowObject(catalog.store)(id);
    return writeText(tree, () => Promise.resolve());
  };

  it('has everything below it, and the ids of its parents', async () => {
    const text = await show('cmp_spring');
    expect(text).to.match(/^advertisers:\n {2}- id: adv_northwind\n {4}campaigns:\n {6}- id: cmp_spring\n/);
    expect(text).to.contain('- id: cr_spring_banner\n').and.to.not.contain('publishers');
    expect(await show('app_sunrise_puzzle/home_banner')).to.match(
      /^publishers:\n {2}- id: pub_sunrise\n {4}apps:\n {6}- id: app_sunrise_puzzle\n {8}placements:\n {10}- code: home_banner\n/,
    );
  });

  it('is a file that apply accepts, and that changes nothing', async () => {
    for (const id of ['cmp_spring', 'pub_sunrise', 'cr_spring_banner', 'global'])
      expect(await catalog.apply(await show(id)), id).to.deep.include({ faults: [], changes: [] });
  });

  it('is unknown when it never was in the catalog, or was removed', async () => {
    expect(await codeOf(show('cmp_x'))).to.equal('not_found');
    await catalog.apply('advertisers: [{ id: adv_northwind, campaigns: [] }]', { isPruning: true });
    expect(await codeOf(show('cmp_spring'))).to.equal('not_found');
  });
});
