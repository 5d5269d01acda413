/** The example of the format: one object of every kind, with every field. */
export const EXAMPLE = `global: { serving_enabled: true }

publishers:
  - id: pub_sunrise
    name: Sunrise Games
    approved: true
    serving_enabled: true
    revenue_share: 0.70
    apps:
      - id: app_sunrise_puzzle
        app_key: app_0123456789abcdefghijABCD
        package_name: com.sunrise.puzzle
        name: Sunrise Puzzle
        approved: true
        blocked: false
        serving_enabled: true
        fallback_enabled: true
        language: en
        category: games
        request_timeout_ms: 1500
        config_ttl_seconds: 300
        placements:
          - code: home_banner
            format: banner
            paused: false
            enabled: true
            disabled_by_admin: false
            fallback_provider: partner
            partner_ad_unit_id: ca-app-unit-1
            request_timeout_ms: 1000
            frequency_cap: { count: 3, period: session }
            banner_refresh_seconds: 30
            reward: null

advertisers:
  - id: adv_northwind
    name: Northwind
    approved: true
    balance: 500.00
    campaigns:
      - id: cmp_spring
        name: Spring sale
        status: active
        bid_cpm: 2.50
        starts_at: 2026-01-01T00:00:00Z
        ends_at: null
        budget_total: 200.00
        budget_daily: 20.00
        pacing: even
        countries: []
        targeting:
          formats: []
          languages: []
          app_ids: []
          app_categories: []
          android_versions: []
        frequency_cap: null
        creatives:
          - id: cr_spring_banner
            format: banner
            type: image
            url: https://cdn.example.com/spring-320x50.png
            click_url: https://shop.example.com/spring
            width: 320
            height: 50
            duration_seconds: null
            approved: true
`;

/** The example with one piece replaced; fails when the piece is missing. */
export function exampleWith(piece: string, replacement: string): string {
  if (!EXAMPLE.includes(piece)) throw new Error(`the example has no ${piece}`);
  return EXAMPLE.replace(piece, () => replacement);
}

const MINIMAL_ADVERTISER = `advertisers:
  - id: adv_a
    name: A
    campaigns:
      - id: cmp_a
        name: A
        bid_cpm: 1
`;

/** A file with an advertiser and a campaign that have only the required fields. */
export function minimalAdvertiser(): string {
  return MINIMAL_ADVERTISER;
}

/** The example with a second advertiser, whose campaign has no creatives. */
export const TWO_ADVERTISERS = `${EXAMPLE}  - id: adv_fjord
    name: Fjord
    approved: true
    balance: 1.00
    campaigns: [{ id: cmp_fjord_banner, name: Fjord, bid_cpm: 1 }]
`;

/** Names the second advertiser alone and none of its campaigns. Pruning then removes the first one as well. */
export const SECOND_ADVERTISER = 'advertisers: [{ id: adv_fjord, campaigns: [] }]';
