/** An app in a web view has an origin of its own scheme, such as capacitor://localhost. */
const OWN_SCHEME = /^(?!https?:)[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+$/;

/**
 * Reads `CORS_ORIGINS`: origins of web pages, separated by commas, or `*` for all. Empty: no page may call the API. Throws a
 * sentence about the first part that is not an origin as browsers send it, such as `https://app.example.com`.
 */
export function readOrigins(text: string): readonly string[] {
  const parts = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const part of parts) refuseOther(part);
  return parts;
}

function refuseOther(part: string): void {
  const { origin } = URL.canParse(part) ? new URL(part) : { origin: 'null' };
  // A URL of another scheme has no origin.
  const isUnknown = origin === 'null';
  if (part === '*' || (isUnknown ? OWN_SCHEME.test(part) : part === origin)) return;
  // The part itself may hold a password.
  throw new Error(
    isUnknown
      ? 'must be origins separated by commas, such as https://app.example.com, or *'
      : `must be origins as browsers send them; write ${origin}`,
  );
}
