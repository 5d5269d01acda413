import type { PlacementConfig } from '../src/index.js';
import { Placard, type PlacardOptions } from '../src/index.js';
import type { Answer, Device, Received } from './device.js';

const SESSION_MS = 3_600_000;

/** A placement with the contract's defaults. */
export function placement(over: Partial<PlacementConfig> = {}): PlacementConfig {
  return {
    code: 'end',
    format: 'interstitial',
    service_enabled: true,
    fallback_provider: 'partner',
    partner_ad_unit_id: 'unit_1',
    request_timeout_ms: 2_000,
    banner_refresh_seconds: 30,
    ...over,
  };
}

/** A pretended server that fills every request. Its parts can be replaced. */
export class Server {
  placements = [
    placement(),
    placement({ code: 'video', format: 'rewarded' }),
    placement({ code: 'top', format: 'banner', fallback_provider: 'none', partner_ad_unit_id: null }),
  ];
  isServing = true;
  /** The life of an ad. */
  adMs = 1_800_000;
  sessions = 0;
  ads = 0;
  readonly #device: Device;
  readonly #special = new Map<string, (received: Received) => Answer | 'lost' | 'silent' | null>();

  constructor(device: Device) {
    this.#device = device;
    device.handle = (received) => this.#special.get(received.path)?.(received) ?? this.#answer(received);
  }

  /** Answers a path in another way; null: as usual. */
  on(path: string, answer: (received: Received) => Answer | 'lost' | 'silent' | null): void {
    this.#special.set(path, answer);
  }

  #answer({ path, body }: Received): Answer {
    if (path === '/sdk/initialize') return { status: 200, body: this.#session() };
    if (path === '/ads/request') return { status: 200, body: this.#fill(String(body['format'])) };
    return { status: 200, body: { status: 'accepted' } };
  }

  #session(): unknown {
    this.sessions += 1;
    return {
      session_token: `session-${this.sessions}`,
      session_expires_at: this.#in(SESSION_MS),
      config: {
        serving_enabled: this.isServing,
        request_timeout_ms: 2_000,
        fallback_enabled: true,
        test_mode: false,
        config_ttl_seconds: 900,
      },
      placements: this.placements,
    };
  }

  #fill(format: string): unknown {
    this.ads += 1;
    const ad = {
      id: `ad_${this.ads}`,
      campaign_id: 'cmp_1',
      creative_id: 'cr_1',
      format,
      creative_type: 'image',
      creative_url: `https://files.example.com/${this.ads}.png`,
      click_url: 'https://shop.example.com/',
      width: 320,
      height: 50,
      duration_seconds: null,
      impression_token: `token-${this.ads}`,
      expires_at: this.#in(this.adMs),
      test: false,
    };
    return { status: 'fill', request_id: `req_${this.ads}`, ad };
  }

  #in(ms: number): string {
    return new Date(this.#device.nowMs + this.#device.serverAheadMs + ms).toISOString();
  }
}

/** A client on the device. */
export function placardOn(device: Device, over: Partial<PlacardOptions> = {}): Placard {
  return new Placard({
    baseUrl: 'https://ads.example.com/v1/',
    appKey: 'app_000000000000000000000001',
    packageName: 'com.example.game',
    platform: device.platform,
    ...over,
  });
}
