/**
 * Reads `CORS_ORIGINS`: origins of web pages, separated by commas, or `*` for all. Null when a part is not an origin as
 * browsers send it, such as `https://app.example.com`. Empty: no page may call the API.
 */
export function readOrigins(text: string): readonly string[] | null {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.every(isOrigin) ? parts : null;
}

function isOrigin(text: string): boolean {
  // An app in a web view has an origin of its own scheme, such as capacitor://localhost.
  return text === '*' || (/^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/.test(text) && URL.canParse(text));
}
