/** A language tag of a catalog, such as `en`, `pt-BR` or `zh_Hant_TW`: 2 to 35 characters. */
const TAG = /^(?=.{2,35}$)[A-Za-z]{2,8}(?:[-_][A-Za-z0-9]{1,8})*$/;
const PRIMARY_SUBTAG = /^\s*([A-Za-z]{2,8})(?:[-_].*)?\s*$/s;

/** Whether a catalog may hold this language. {@link primaryLanguage} can read every such text. */
export function isLanguage(text: string): boolean {
  return TAG.test(text);
}

/**
 * The primary subtag of a content language in small letters: `pt_BR` → `pt`. Null: there is none, and the language
 * counts as absent. Campaigns and requests are compared by it. Contract: docs/contract/selection.md#language.
 */
export function primaryLanguage(text: string | null): string | null {
  const match = text === null ? null : PRIMARY_SUBTAG.exec(text);
  return match?.[1]?.toLowerCase() ?? null;
}
