/** An app that the page offers. */
export interface KnownApp {
  readonly id: string;
  readonly app_key: string;
  readonly package_name: string;
}

/** Apps that an operator's key may see, at most 100. Empty when it may see none. */
export async function appsOf(key: string): Promise<readonly KnownApp[]> {
  const response = await fetch('/manage/v1/apps?limit=100', { headers: { authorization: `Bearer ${key}` } });
  if (!response.ok) return [];
  const { rows } = (await response.json()) as { readonly rows: readonly KnownApp[] };
  return rows;
}

/** A candidate of an explained request. Contract: docs/contract/operator-interface.md. */
interface Candidate {
  readonly campaign: string;
  readonly lost_at: string | null;
  readonly why: string;
}

/** What to ask about. */
export interface Asked {
  readonly app: string;
  readonly placement: string;
  readonly country: string | undefined;
  readonly language: string | undefined;
  readonly androidVersion: string | undefined;
}

/**
 * Asks the management API why campaigns would not be shown now, and answers a line each. Null without an operator's key, or
 * when the key may not ask.
 */
export async function explain(key: string | undefined, asked: Asked): Promise<readonly string[] | null> {
  if (key === undefined) return null;
  const query = new URLSearchParams({ app: asked.app, placement: asked.placement });
  if (asked.country !== undefined) query.set('country', asked.country);
  if (asked.language !== undefined) query.set('language', asked.language);
  if (asked.androidVersion !== undefined) query.set('android_version', asked.androidVersion);
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`/manage/v1/explain/try?${query.toString()}`, { headers });
  if (!response.ok) return null;
  const { candidates } = (await response.json()) as { readonly candidates: readonly Candidate[] };
  return candidates.map(({ campaign, lost_at, why }) => `${campaign}: ${lost_at ?? 'fill'} – ${why}`);
}
