/** An app that the page offers. */
export interface KnownApp {
  readonly id: string;
  readonly app_key: string;
  readonly package_name: string;
}

/** Apps that an operator's key may see, at most 100. Rejects with a reason to show when they cannot be listed. */
export async function appsOf(key: string): Promise<readonly KnownApp[]> {
  const { rows } = await ask<{ readonly rows: readonly KnownApp[] }>('apps?limit=100', key);
  return rows;
}

/** How a request would be judged now. Contract: docs/contract/explanations.md#tried-requests. */
export interface Explanation {
  /** `fill`, a reason of a no-fill, or `app_not_approved`. */
  readonly result: string;
  /** The winner first, then those that came furthest. */
  readonly candidates: readonly Candidate[];
}

/** A campaign of an explanation. */
export interface Candidate {
  readonly campaign: string;
  /** Null for the winner. */
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
  /** Width and height in pixels, such as `1080x2400`. */
  readonly screen: string;
}

/** Asks the management API how a request would be judged now. Rejects with a reason to show when the key may not ask. */
export async function explain(key: string, asked: Asked): Promise<Explanation> {
  const query = new URLSearchParams({ app: asked.app, placement: asked.placement, screen: asked.screen });
  if (asked.country !== undefined) query.set('country', asked.country);
  if (asked.language !== undefined) query.set('language', asked.language);
  if (asked.androidVersion !== undefined) query.set('android_version', asked.androidVersion);
  return ask<Explanation>(`explain/try?${query.toString()}`, key);
}

/** The answer of a read operation of the management API. Rejects with the API's own reason, or with that of the browser. */
async function ask<Answer>(path: string, key: string): Promise<Answer> {
  const response = await fetch(`/manage/v1/${path}`, { headers: { authorization: `Bearer ${key}` } });
  const answer: unknown = await response.json();
  if (response.ok) return answer as Answer;
  const { detail } = answer as { readonly detail?: unknown };
  const reason = typeof detail === 'string' ? detail : `status ${response.status}`;
  throw new Error(`The management API refuses: ${reason}`);
}
