type Fields = Readonly<Record<string, unknown>>;
type Kind = 'string' | 'number' | 'boolean';

const fieldsOf = (value: unknown): Fields => Object(value) as Fields;

function has(value: unknown, kind: Kind, names: string): boolean {
  return names.split(' ').every((name) => typeof fieldsOf(value)[name] === kind);
}

/**
 * True for the body of a good answer to a path: it has all members that the SDK uses. A network with a log-in page may answer
 * 200 in Placard's place, with JSON of its own.
 */
export function isAnswerTo(path: string, body: unknown): boolean {
  const { status, config, placements, ad } = fieldsOf(body);
  if (path === '/sdk/initialize') {
    return (
      has(body, 'string', 'session_token session_expires_at') &&
      has(config, 'boolean', 'serving_enabled fallback_enabled') &&
      has(config, 'number', 'config_ttl_seconds') &&
      Array.isArray(placements) &&
      placements.every(isPlacement)
    );
  }
  if (path !== '/ads/request') return status === 'accepted';
  if (status === 'no_fill') return has(body, 'string', 'request_id reason fallback');
  return status === 'fill' && has(body, 'string', 'request_id') && isAd(ad);
}

/** True for the body of an event's rejection. */
export function isRejection(path: string, body: unknown): boolean {
  const { status, reason } = fieldsOf(body);
  return path.startsWith('/events/') && status === 'rejected' && typeof reason === 'string';
}

function isPlacement(value: unknown): boolean {
  return (
    has(value, 'string', 'code format fallback_provider') &&
    has(value, 'boolean', 'service_enabled') &&
    has(value, 'number', 'request_timeout_ms banner_refresh_seconds')
  );
}

function isAd(value: unknown): boolean {
  return has(value, 'string', 'id format creative_type creative_url click_url impression_token expires_at');
}
