const PUB = 'publishers[0]';
const APP = 'publishers[0].apps[0]';
const PLACEMENT = 'publishers[0].apps[0].placements[0]';
const ADV = 'advertisers[0]';
const CAMPAIGN = 'advertisers[0].campaigns[0]';
const CREATIVE = 'advertisers[0].campaigns[0].creatives[0]';

/** One mistake per row: the piece of the example, its replacement, and the expected fault. */
export const MISTAKES: readonly (readonly [piece: string, instead: string, fault: string])[] = [
  [
    'global: { serving_enabled: true }',
    'global: { serving_enabled: 1 }',
    'global.serving_enabled: must be true or false',
  ],
  ['global: { serving_enabled: true }', 'global: { enabled: true }', 'global.enabled: unknown key'],
  ['global: { serving_enabled: true }', 'global: yes', 'global: must be a mapping'],
  ['publishers:', 'extra: 1\npublishers:', 'extra: unknown key'],
  [
    'publishers:',
    '"\\e[1A\\e[2Kok\\n\\x9b2J\\u202e": 1\npublishers:',
    '\\u001b[1A\\u001b[2Kok\\n\\u009b2J\\u202e: unknown key',
  ],
  ['id: pub_sunrise', 'id: Pub-Sunrise', `${PUB}.id: must be made of 2 to 64 small letters, digits and _`],
  ['id: pub_sunrise', 'id: p', `${PUB}.id: must be made of 2 to 64 small letters, digits and _`],
  ['- id: pub_sunrise\n    name', '- name', `${PUB}.id: is required`],
  ['name: Sunrise Games', 'name: ""', `${PUB}.name: must not be empty`],
  ['name: Sunrise Games', 'name: 12', `${PUB}.name: must be text; put it in quotes`],
  ['name: Sunrise Games', 'name: null', `${PUB}.name: is required and cannot be cleared`],
  [
    'name: Sunrise Games',
    'name: "a\\0b"',
    `${PUB}.name: must not hold U+0000 (a control character) at character 2`,
  ],
  [
    'name: Sunrise Games',
    'name: "Sunrise\\u200BGames"',
    `${PUB}.name: must not hold U+200B (cannot be seen) at character 8`,
  ],
  [
    'name: Sunrise Games',
    'name: "Sunrise\\_Games"',
    `${PUB}.name: must not hold U+00A0 (a blank that is not U+0020) at character 8`,
  ],
  ['name: Sunrise Games', 'name: "Sunrise "', `${PUB}.name: must not begin or end with a blank`],
  [
    'id: pub_sunrise',
    'id: "pub_sunrise\\u3164"',
    `${PUB}.id: must not hold U+3164 (cannot be seen) at character 12`,
  ],
  ['name: Sunrise Games', `name: ${'x'.repeat(201)}`, `${PUB}.name: must have at most 200 characters`],
  ['name: Sunrise Games', 'nmae: Sunrise Games\n    name: S', `${PUB}.nmae: unknown key`],
  ['approved: true', 'approved: "true"', `${PUB}.approved: must be true or false`],
  ['approved: true', 'approved: yes', `${PUB}.approved: must be true or false`],
  ['revenue_share: 0.70', 'revenue_share: 1.0001', `${PUB}.revenue_share: must be at most 1`],
  ['revenue_share: 0.70', 'revenue_share: -0.1', `${PUB}.revenue_share: must not be negative`],
  [
    'revenue_share: 0.70',
    'revenue_share: 0.70001',
    `${PUB}.revenue_share: must be a decimal amount such as 2.50 with at most 4 decimals`,
  ],
  [
    'app_key: app_0123456789abcdefghijABCD',
    'app_key: app_short',
    `${APP}.app_key: must be app_ and 24 letters and digits`,
  ],
  [
    'package_name: com.sunrise.puzzle',
    'package_name: "$(id);<b>"',
    `${APP}.package_name: must be an Android application id such as com.example.game`,
  ],
  [
    'package_name: com.sunrise.puzzle',
    'package_name: com sunrise',
    `${APP}.package_name: must be an Android application id such as com.example.game`,
  ],
  ['language: en', 'language: english language', `${APP}.language: must be a language such as en or pt-BR`],
  [
    'request_timeout_ms: 1500',
    'request_timeout_ms: 99',
    `${APP}.request_timeout_ms: must be a whole number from 100 to 5000`,
  ],
  [
    'request_timeout_ms: 1500',
    'request_timeout_ms: 150.5',
    `${APP}.request_timeout_ms: must be a whole number from 100 to 5000`,
  ],
  [
    'request_timeout_ms: 1000',
    'request_timeout_ms: 5001',
    `${PLACEMENT}.request_timeout_ms: must be a whole number from 100 to 5000`,
  ],
  [
    'request_timeout_ms: 1000',
    'request_timeout_ms: "1000"',
    `${PLACEMENT}.request_timeout_ms: must be a whole number from 100 to 5000`,
  ],
  [
    'code: home_banner',
    'code: Home',
    `${PLACEMENT}.code: must be made of 2 to 64 small letters, digits and _`,
  ],
  [
    'code: home_banner\n            format: banner',
    'code: home_banner\n            format: square',
    `${PLACEMENT}.format: must be one of banner, interstitial, rewarded`,
  ],
  [
    'fallback_provider: partner',
    'fallback_provider: admob',
    `${PLACEMENT}.fallback_provider: must be one of partner, none`,
  ],
  [
    '{ count: 3, period: session }',
    '{ count: 0, period: session }',
    `${PLACEMENT}.frequency_cap.count: must be a whole number from 1 to 1000000`,
  ],
  [
    '{ count: 3, period: session }',
    '{ count: 3, period: week }',
    `${PLACEMENT}.frequency_cap.period: must be one of session, hour, day`,
  ],
  ['{ count: 3, period: session }', '{ count: 3 }', `${PLACEMENT}.frequency_cap.period: is required`],
  [
    '{ count: 3, period: session }',
    '{ count: 3, period: day, per: 1 }',
    `${PLACEMENT}.frequency_cap.per: unknown key`,
  ],
  ['{ count: 3, period: session }', '3', `${PLACEMENT}.frequency_cap: must be { count, period } or null`],
  [
    'banner_refresh_seconds: 30',
    'banner_refresh_seconds: 29',
    `${PLACEMENT}.banner_refresh_seconds: must be a whole number from 30 to 86400`,
  ],
  ['balance: 500.00', 'balance: -1', `${ADV}.balance: must not be negative`],
  ['balance: 500.00', 'balance: 1000000000.01', `${ADV}.balance: must be at most 1000000000`],
  [
    'balance: 500.00',
    'balance: "0.1234567890"',
    `${ADV}.balance: must be a decimal amount such as 2.50 with at most 9 decimals`,
  ],
  [
    'balance: 500.00',
    'balance: 1234567.123456789',
    `${ADV}.balance: must not be a number of more than 15 significant digits; write it as a text in quotes`,
  ],
  ['id: cmp_spring', 'id: spring', `${CAMPAIGN}.id: must be cmp_ and 1 to 60 letters, digits and _`],
  ['status: active', 'status: running', `${CAMPAIGN}.status: must be one of active, paused, ended`],
  ['bid_cpm: 2.50', 'bid_cpm: 0', `${CAMPAIGN}.bid_cpm: must be above zero`],
  ['bid_cpm: 2.50', 'bid_cpm: -2.50', `${CAMPAIGN}.bid_cpm: must be above zero`],
  ['bid_cpm: 2.50', 'bid_cpm: 10000.01', `${CAMPAIGN}.bid_cpm: must be at most 10000`],
  [
    'bid_cpm: 2.50',
    'bid_cpm: 2.5000001',
    `${CAMPAIGN}.bid_cpm: must be a decimal amount such as 2.50 with at most 6 decimals`,
  ],
  [
    'bid_cpm: 2.50',
    'bid_cpm: "1e3"',
    `${CAMPAIGN}.bid_cpm: must be a decimal amount such as 2.50 with at most 6 decimals`,
  ],
  [
    'bid_cpm: 2.50',
    'bid_cpm: 2,50',
    `${CAMPAIGN}.bid_cpm: must be a decimal amount such as 2.50 with at most 6 decimals`,
  ],
  [
    'bid_cpm: 2.50',
    'bid_cpm: .inf',
    `${CAMPAIGN}.bid_cpm: must be a decimal amount such as 2.50 with at most 6 decimals`,
  ],
  ['bid_cpm: 2.50', 'bid_cpm: null', `${CAMPAIGN}.bid_cpm: is required and cannot be cleared`],
  ['budget_total: 200.00', 'budget_total: 0', `${CAMPAIGN}.budget_total: must be above zero`],
  ['budget_daily: 20.00', 'budget_daily: -20', `${CAMPAIGN}.budget_daily: must be above zero`],
  ['budget_daily: 20.00', 'budget_daily: 1000000001', `${CAMPAIGN}.budget_daily: must be at most 1000000000`],
  [
    'starts_at: 2026-01-01T00:00:00Z',
    'starts_at: 2026-01-01T00:00:00',
    `${CAMPAIGN}.starts_at: must be a date and time with a zone, such as 2026-01-01T00:00:00Z`,
  ],
  [
    'starts_at: 2026-01-01T00:00:00Z',
    'starts_at: 2026-01-01',
    `${CAMPAIGN}.starts_at: must be a date and time with a zone, such as 2026-01-01T00:00:00Z`,
  ],
  [
    'starts_at: 2026-01-01T00:00:00Z',
    'starts_at: 2026-02-30T00:00:00Z',
    `${CAMPAIGN}.starts_at: must be a date and time with a zone, such as 2026-01-01T00:00:00Z`,
  ],
  [
    'ends_at: null',
    'ends_at: 2026-01-01T00:00:00Z',
    `${CAMPAIGN}.starts_at: starts_at 2026-01-01T00:00:00Z must be before ends_at 2026-01-01T00:00:00Z`,
  ],
  ['pacing: even', 'pacing: fast', `${CAMPAIGN}.pacing: must be one of even, asap`],
  [
    'countries: []',
    'countries: [US, UK]',
    `${CAMPAIGN}.countries[1]: must be a country code of ISO 3166-1 alpha-2, such as US`,
  ],
  ['countries: []', 'countries: US', `${CAMPAIGN}.countries: must be a list`],
  [
    'countries: []',
    'countries: [null]',
    `${CAMPAIGN}.countries[0]: must be a country code of ISO 3166-1 alpha-2, such as US`,
  ],
  [
    'formats: []',
    'formats: [video]',
    `${CAMPAIGN}.targeting.formats[0]: must be one of banner, interstitial, rewarded`,
  ],
  [
    'languages: []',
    'languages: [e]',
    `${CAMPAIGN}.targeting.languages[0]: must be a language such as en or pt-BR`,
  ],
  [
    'android_versions: []',
    'android_versions: ["14"]',
    `${CAMPAIGN}.targeting.android_versions[0]: must be a whole number from 1 to 1000`,
  ],
  ['android_versions: []', 'versions: []', `${CAMPAIGN}.targeting.versions: unknown key`],
  ['id: cr_spring_banner', 'id: cr-spring', `${CREATIVE}.id: must be cr_ and 1 to 60 letters, digits and _`],
  ['type: image', 'type: html', `${CREATIVE}.type: must be one of image, video`],
  [
    'url: https://cdn',
    'url: ftp://cdn',
    `${CREATIVE}.url: must be an address that begins with https:// or /creatives/demo/`,
  ],
  [
    'url: https://cdn.example.com/spring-320x50.png',
    'url: /spring.png',
    `${CREATIVE}.url: must be an address that begins with https:// or /creatives/demo/`,
  ],
  [
    'click_url: https://shop.example.com/spring',
    'click_url: "javascript:alert(1)"',
    `${CREATIVE}.click_url: must be an address that begins with https:// or market://details? or intent:`,
  ],
  ['width: 320', 'width: 0', `${CREATIVE}.width: must be a whole number from 1 to 20000`],
  [
    'duration_seconds: null',
    'duration_seconds: 15',
    `${CREATIVE}.duration_seconds: is for videos only; leave it out or write null`,
  ],
];

/** Files whose mistake is not one piece of the example. */
export const BROKEN_FILES: readonly (readonly [what: string, text: string, fault: RegExp])[] = [
  ['an empty file', '', /^file: must be a mapping/],
  ['a list', '- a', /^file: must be a mapping/],
  ['YAML that does not end', 'global: {', /^file: is not valid YAML 1\.2: .* at line \d, column \d/],
  [
    'a key that comes twice',
    'global: {}\nglobal: {}',
    /^file: is not valid YAML 1\.2: duplicated mapping key at line /,
  ],
  [
    'a key that comes twice in JSON',
    '{"global":{},"global":{}}',
    /^file: is not valid YAML 1\.2: duplicated mapping key at line /,
  ],
  ['YAML 1.1', '%YAML 1.1\n---\nglobal: {}', /^file: is YAML 1\.1; it must be YAML 1\.2/],
  ['two documents', 'global: {}\n---\nglobal: {}', /^file: holds more than one YAML document; /],
  [
    'an unknown tag',
    'global: !thing {}',
    /^file: is not valid YAML 1\.2: unknown tag !<!thing> at line 1, column \d+$/,
  ],
  ['a merge key', 'global: { <<: { serving_enabled: true } }', /^global\.<<: unknown key/],
  ['nesting without end', '['.repeat(50_000), /^file: is not valid YAML 1\.2: nesting exceeded /],
  ['nesting without end in blocks', '- '.repeat(50_000), /^file: is not valid YAML 1\.2: nesting exceeded /],
  ['JSON that nests without end', `${'['.repeat(40)}${']'.repeat(40)}`, /nesting exceeded /],
  ['aliases without end', bomb(), /^file: has aliases that refer to each other too often/],
  ['an alias that stands for what it is in', 'a: &a [*a]', /^file: has aliases that refer to each other/],
  ['an alias of nothing', 'a: *b', /^file: is not valid YAML 1\.2: unidentified alias "b"/],
  ['a mapping as a key', '? { a: 1 }\n: 2', /: unknown key$/],
  ['a null character', 'a: \0', /^file: is not valid YAML 1\.2: /],
  ['a section that is null', 'publishers:', /^publishers: must be a list/],
  ['a section that is a mapping', 'publishers: { id: pub_a }', /^publishers: must be a list/],
  [
    'an object that is text',
    'publishers: [pub_a]',
    /^publishers\[0\]: must be a mapping that describes one publisher/,
  ],
];

function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level <= 8; level += 1) {
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`);
  }
  return lines.join('\n');
}
