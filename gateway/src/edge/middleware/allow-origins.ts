import cors from 'cors';

/** How long a browser may remember the answer to a preflight, in seconds. Browsers allow less. */
const PREFLIGHT_SECONDS = 86_400;

/** Middleware that needs nothing of Express. */
export type AllowOrigins = ReturnType<typeof cors>;

/**
 * Lets pages of these origins call the SDK API: it answers preflights and adds the headers of CORS. `Date` is exposed because
 * the SDK measures lifetimes by the server's clock. Contract: docs/contract/requests.md#web-pages.
 */
export function allowOrigins(origins: readonly string[]): AllowOrigins {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['POST'],
    allowedHeaders: ['Content-Type'],
    exposedHeaders: ['Date', 'Retry-After', 'X-Request-Id'],
    maxAge: PREFLIGHT_SECONDS,
  });
}
