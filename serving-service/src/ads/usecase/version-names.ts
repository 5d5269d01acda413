import { dayOf, type AppId } from '@placard/service-kit/pure';

/** The versions of a request, as reports count them. Null: the request names none. */
export interface Versions {
  readonly appVersion: string | null;
  readonly sdkVersion: string | null;
}

/** Most pairs of versions of an app and UTC day with a name. Further pairs are {@link OTHER_VERSIONS}. */
export const VERSION_PAIRS_MAX = 100;
/** Versions without a name of their own. Contract: docs/contract/reports.md#versions. */
export const OTHER_VERSIONS: Versions = { appVersion: 'other', sdkVersion: 'other' };

/** What a version may look like: `7.1.3`, `2.4.0-beta+5`. Anything else is counted as `other`. */
const VERSION = /^[A-Za-z0-9][A-Za-z0-9.+_-]{0,31}$/;

/**
 * Bounds the versions that reports count, because clients send any text. The first pairs of an app and UTC day have a name.
 */
export class VersionNames {
  readonly #pairs = new Map<AppId, Map<string, Versions>>();
  #day = 0;

  /** The versions under which a request of the app is counted. `atMs`: epoch ms. */
  nameOf(appId: AppId, { appVersion, sdkVersion }: Versions, atMs: number): Versions {
    const pairs = this.#pairsOf(appId, dayOf(atMs));
    const key = `${appVersion ?? ''}\n${sdkVersion ?? ''}`;
    const known = pairs.get(key);
    if (known !== undefined) return known;
    if (pairs.size >= VERSION_PAIRS_MAX) return OTHER_VERSIONS;
    // A text that is no version takes no place.
    if (!isReadable(appVersion) || !isReadable(sdkVersion)) return OTHER_VERSIONS;
    const named = { appVersion, sdkVersion };
    pairs.set(key, named);
    return named;
  }

  #pairsOf(appId: AppId, day: number): Map<string, Versions> {
    if (day > this.#day) {
      this.#pairs.clear();
      this.#day = day;
    }
    const known = this.#pairs.get(appId);
    if (known !== undefined) return known;
    const pairs = new Map<string, Versions>();
    this.#pairs.set(appId, pairs);
    return pairs;
  }
}

function isReadable(version: string | null): boolean {
  return version === null || VERSION.test(version);
}
