import { expect } from 'chai';
import { EXAMPLE } from '../../../test/support/catalog-text.js';
import { judge, storedAfter } from '../../../test/support/judge.js';
import type { StoredObject } from './catalog-object.js';
import { exportTree } from './export-tree.js';

const stored = storedAfter(judge(EXAMPLE).changes);

/** The example, field by field. */
const EXPORTED = {
  global: { serving_enabled: true },
  sections: [
    {
      name: 'publishers',
      nodes: [
        {
          id: 'pub_sunrise',
          name: 'Sunrise Games',
          approved: true,
          serving_enabled: true,
          revenue_share: '0.70',
          apps: [
            {
              id: 'app_sunrise_puzzle',
              app_key: 'app_0123456789abcdefghijABCD',
              package_name: 'com.sunrise.puzzle',
              name: 'Sunrise Puzzle',
              approved: true,
              blocked: false,
              serving_enabled: true,
              fallback_enabled: true,
              language: 'en',
              category: 'games',
              request_timeout_ms: 1_500,
              config_ttl_seconds: 300,
              explained: false,
              placements: [
                {
                  code: 'home_banner',
                  format: 'banner',
                  paused: false,
                  enabled: true,
                  disabled_by_admin: false,
                  fallback_provider: 'partner',
                  partner_ad_unit_id: 'ca-app-unit-1',
                  request_timeout_ms: 1_000,
                  frequency_cap: { count: 3, period: 'session' },
                  banner_refresh_seconds: 30,
                  reward: null,
                },
              ],
            },
          ],
        },
      ],
    },
    {
      name: 'advertisers',
      nodes: [
        {
          id: 'adv_northwind',
          name: 'Northwind',
          approved: true,
          balance: '500.00',
          campaigns: [
            {
              id: 'cmp_spring',
              name: 'Spring sale',
              status: 'active',
              bid_cpm: '2.50',
              starts_at: '2026-01-01T00:00:00Z',
              ends_at: null,
              budget_total: '200.00',
              budget_daily: '20.00',
              pacing: 'even',
              countries: [],
              targeting: {
                formats: [],
                languages: [],
                app_ids: [],
                app_categories: [],
                android_versions: [],
              },
              frequency_cap: null,
              creatives: [
                {
                  id: 'cr_spring_banner',
                  format: 'banner',
                  type: 'image',
                  url: 'https://cdn.example.com/spring-320x50.png',
                  click_url: 'https://shop.example.com/spring',
                  width: 320,
                  height: 50,
                  duration_seconds: null,
                  approved: true,
                },
              ],
            },
          ],
        },
      ],
    },
  ],
};

describe('what an export holds', () => {
  it('is every object with every field, nested and in the order of the file', () => {
    expect(exportTree(stored)).to.deep.equal(EXPORTED);
  });

  it('has the keys of an object in the order of the file', () => {
    const [publishers] = exportTree(stored).sections;
    expect(Object.keys(publishers?.nodes[0] ?? {})).to.deep.equal([
      'id',
      'name',
      'approved',
      'serving_enabled',
      'revenue_share',
      'apps',
    ]);
  });

  it('is ordered by id within a list, whatever the order in which objects are stored', () => {
    const publisher = (id: string): StoredObject => ({ kind: 'publisher', id, parentId: null, fields: {} });
    const app = (id: string, parentId: string): StoredObject => ({ kind: 'app', id, parentId, fields: {} });
    const objects = [
      app('app_c', 'pub_a'),
      publisher('pub_b'),
      app('app_a', 'pub_a'),
      app('app_b', 'pub_b'),
      publisher('pub_a'),
      publisher('pub_c'),
    ];
    const { sections } = exportTree(objects);
    const ids = sections[0]?.nodes.map(({ id, apps }) => [
      id,
      (apps as readonly { readonly id: string }[]).map((each) => each.id),
    ]);
    expect(ids).to.deep.equal([
      ['pub_a', ['app_a', 'app_c']],
      ['pub_b', ['app_b']],
      ['pub_c', []],
    ]);
  });

  it('of an empty catalog are its sections, empty, and no global switch', () => {
    expect(exportTree([])).to.deep.equal({
      global: null,
      sections: [
        { name: 'publishers', nodes: [] },
        { name: 'advertisers', nodes: [] },
      ],
    });
  });

  it('leaves out a field that an earlier release did not store', () => {
    const { global } = exportTree([{ kind: 'global', id: 'global', parentId: null, fields: {} }]);
    expect(global).to.deep.equal({});
  });
});
