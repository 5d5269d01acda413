import { expect } from 'chai';
import { asAppId, asAppKey, asCampaignId, asPlacementCode } from '../pure/index.js';
import { makeTestCatalog, testApp, testCampaign, testCreative, testPlacement } from '../testing/index.js';
import { makeCatalog } from './make-catalog.js';

describe('makeCatalog', () => {
  it('orders placements by code and creatives by id, in whatever order they were added', () => {
    const catalog = makeCatalog({
      placements: ['c_slot', 'a_slot', 'b_slot'].map((code) => testPlacement({ code })),
      creatives: ['cr_3', 'cr_1', 'cr_2'].map((id) => testCreative({ id })),
    });
    const codes = catalog.placementsOf(testApp().id).map((placement) => placement.code);
    expect(codes).to.deep.equal(['a_slot', 'b_slot', 'c_slot']);
    const ids = catalog.creativesOf(testCampaign().id).map((creative) => creative.id);
    expect(ids).to.deep.equal(['cr_1', 'cr_2', 'cr_3']);
  });

  it('keeps placements of two apps apart when they have the same code', () => {
    const placements = [testPlacement({ appId: 'app_a' }), testPlacement({ appId: 'app_b', isPaused: true })];
    const catalog = makeCatalog({ placements });
    const code = asPlacementCode('home_banner');
    expect(catalog.placement(asAppId('app_a'), code)?.isPaused).to.equal(false);
    expect(catalog.placement(asAppId('app_b'), code)?.isPaused).to.equal(true);
  });

  it('answers undefined or an empty list for an unknown id, and for a property name such as `constructor`', () => {
    const catalog = makeTestCatalog();
    for (const name of ['', 'nobody', '__proto__', 'constructor', 'toString']) {
      expect(catalog.appByKey(asAppKey(name))).to.equal(undefined);
      expect(catalog.campaign(asCampaignId(name))).to.equal(undefined);
      expect(catalog.placement(testApp().id, asPlacementCode(name))).to.equal(undefined);
      expect(catalog.placementsOf(asAppId(name))).to.deep.equal([]);
      expect(catalog.creativesOf(asCampaignId(name))).to.deep.equal([]);
    }
  });

  it('enables serving when there is no global object', () => {
    expect(makeCatalog({}).global.isServingEnabled).to.equal(true);
  });
});
