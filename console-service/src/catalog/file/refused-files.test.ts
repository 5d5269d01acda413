import { loadText } from '@placard/service-kit/files';
import { expect } from 'chai';
import { EXAMPLE, exampleWith, minimalAdvertiser } from '../../../test/support/catalog-text.js';
import { judge } from '../../../test/support/judge.js';
import { BROKEN_FILES, MISTAKES } from '../../../test/support/mistakes.js';

describe('a catalog file that is refused', () => {
  it('is not the example', () => {
    expect(judge(EXAMPLE).faults).to.deep.equal([]);
  });

  it('is not the example of the documentation', () => {
    const page = loadText(import.meta.url, '../../../../docs/catalog-file.md');
    const example = /```yaml\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
    expect(judge(example).faults).to.deep.equal([]);
  });

  for (const [piece, instead, fault] of MISTAKES) {
    it(`has ${JSON.stringify(instead.trim())}`, () => {
      expect(judge(exampleWith(piece, instead)).faults).to.deep.equal([fault]);
    });
  }

  for (const [what, text, fault] of BROKEN_FILES) {
    it(`is ${what}`, () => {
      const [first] = judge(text).faults;
      expect(first).to.match(fault);
    });
  }

  it('names all of its faults, including missing fields of a new object', () => {
    const text = minimalAdvertiser()
      .replace('        bid_cpm: 1\n', '        status: x\n')
      .replace('    name: A\n', '    nam: A\n');
    expect(judge(text).faults).to.deep.equal([
      'advertisers[0].campaigns[0].status: must be one of active, paused, ended',
      'advertisers[0].nam: unknown key',
      'advertisers[0].name: is required for a new advertiser',
      'advertisers[0].campaigns[0].bid_cpm: is required for a new campaign',
    ]);
  });

  it('has two objects of one kind with the same id, under any parents', () => {
    const second = '  - { id: adv_b, name: B, campaigns: [{ id: cmp_a, name: C, bid_cpm: 1 }] }\n';
    expect(judge(minimalAdvertiser() + second).faults).to.deep.equal([
      'advertisers[1].campaigns[0].id: repeats the campaign of advertisers[0].campaigns[0]',
    ]);
  });

  it('has two apps with the same app_key', () => {
    const app = (id: string) =>
      `{ id: ${id}, app_key: app_0123456789abcdefghijABCD, package_name: com.a, name: A }`;
    const text = `publishers: [{ id: pub_a, name: A, revenue_share: 1, apps: [${app('app_a')}, ${app('app_b')}] }]`;
    expect(judge(text).faults).to.deep.equal([
      'publishers[0].apps[1].app_key: is already the key of app app_a',
    ]);
  });
});

describe('a catalog file that is accepted', () => {
  const bidOf = (text: string) =>
    judge(exampleWith('bid_cpm: 2.50', `bid_cpm: ${text}`)).changes.find(({ kind }) => kind === 'campaign')
      ?.after?.['bid_cpm'];

  it('may write an amount as a number or a text, and all spellings are equal', () => {
    expect(['4.01', '4.010', '"4.01"', '4.0100', '401e-2'].map(bidOf)).to.deep.equal(Array(5).fill('4.01'));
  });

  it('never loses a decimal', () => {
    expect(bidOf('0.069999')).to.equal('0.069999');
    expect(bidOf('1e-06')).to.equal('0.000001');
    expect(bidOf('"9999.999999"')).to.equal('9999.999999');
  });

  it('takes amounts at their bounds', () => {
    expect(bidOf('10000')).to.equal('10000.00');
    expect(judge(exampleWith('balance: 500.00', 'balance: "1000000000"')).faults).to.deep.equal([]);
    expect(judge(exampleWith('balance: 500.00', 'balance: "999999999.123456789"')).faults).to.deep.equal([]);
    expect(judge(exampleWith('revenue_share: 0.70', 'revenue_share: 1')).faults).to.deep.equal([]);
  });

  it('keeps NO as a text: Norway', () => {
    const campaign = judge(exampleWith('countries: []', 'countries: [NO, us, US]')).changes.find(
      ({ kind }) => kind === 'campaign',
    );
    expect(campaign?.after?.['countries']).to.deep.equal(['NO', 'US']);
  });

  it('may write an instant in any zone; it is stored in UTC', () => {
    const campaign = judge(
      exampleWith('starts_at: 2026-01-01T00:00:00Z', 'starts_at: 2026-01-01T02:00:00+02:00'),
    ).changes.find(({ kind }) => kind === 'campaign');
    expect(campaign?.after?.['starts_at']).to.equal('2026-01-01T00:00:00Z');
  });

  it('may be JSON, with tabs, or begin with a byte-order mark', () => {
    expect(judge('{\n\t"global": { "serving_enabled": false }\n}').faults).to.deep.equal([]);
    expect(judge('\uFEFFglobal: { serving_enabled: false }').faults).to.deep.equal([]);
    expect(judge('\uFEFF{"global":{"serving_enabled":false}}').faults).to.deep.equal([]);
  });

  it('gives a new object the documented defaults', () => {
    const text = `${minimalAdvertiser()}        creatives:
          - { id: cr_a, format: banner, type: image, url: "https://a.example/a.png", click_url: "https://a.example" }
publishers:
  - id: pub_a
    name: A
    revenue_share: 0.5
    apps:
      - id: app_a
        app_key: app_0123456789abcdefghijABCD
        package_name: com.a
        name: A
        placements: [{ code: banner, format: banner }]
`;
    const { changes, faults } = judge(text);
    expect(faults).to.deep.equal([]);
    const fieldsOf = (kind: string) => changes.find((change) => change.kind === kind)?.after;
    expect(fieldsOf('publisher')).to.include({
      approved: false,
      serving_enabled: true,
      revenue_share: '0.50',
    });
    expect(fieldsOf('app')).to.include({
      approved: false,
      blocked: false,
      serving_enabled: true,
      fallback_enabled: true,
      language: 'en',
      category: null,
      request_timeout_ms: 1_000,
      config_ttl_seconds: 300,
    });
    expect(fieldsOf('placement')).to.include({
      paused: false,
      enabled: true,
      disabled_by_admin: false,
      fallback_provider: 'none',
      partner_ad_unit_id: null,
      request_timeout_ms: 1_000,
      frequency_cap: null,
      banner_refresh_seconds: 30,
    });
    expect(fieldsOf('advertiser')).to.include({ approved: false, balance: '0.00' });
    expect(fieldsOf('campaign')).to.deep.include({
      status: 'active',
      pacing: 'even',
      starts_at: null,
      ends_at: null,
      budget_total: null,
      budget_daily: null,
      countries: [],
      'targeting.android_versions': [],
      frequency_cap: null,
    });
    expect(fieldsOf('creative')).to.include({
      approved: false,
      width: null,
      height: null,
      duration_seconds: null,
    });
  });
});
