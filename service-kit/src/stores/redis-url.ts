/** A `REDIS_URL`, read. */
export interface RedisUrl {
  /** One server, or any servers of a cluster. */
  readonly nodes: readonly RedisNode[];
  readonly isCluster: boolean;
  readonly isTls: boolean;
  /** Null: the user `default`. */
  readonly username: string | null;
  /** Null: no login. */
  readonly password: string | null;
  /** Number of the database; 0 in a cluster. */
  readonly database: number;
}

/** Host, without the brackets of IPv6, and port of a server. */
export interface RedisNode {
  readonly host: string;
  readonly port: number;
}

const PORT = 6379;
const PORT_MAX = 65_535;
/** Scheme, `-cluster`, login, servers, number of the database. A login may hold commas and at signs. */
const FORM = /^(rediss?)(-cluster)?:\/\/(?:([^/?#]*)@)?([^@/?#]+)(?:\/(\d{0,5}))?$/;
const NODE = /^(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/;

/** Forms of a `REDIS_URL`, for the message about a wrong one. */
export const REDIS_URL_FORMS =
  'redis://user:password@host:port/number, with TLS rediss://…, ' +
  'or of a cluster redis-cluster://user:password@host:port,host:port, with TLS rediss-cluster://…';

/** Reads a `REDIS_URL`; null when it has none of the forms. */
export function parseRedisUrl(text: string): RedisUrl | null {
  const [, scheme, cluster, login, servers = '', database = ''] = FORM.exec(text) ?? [];
  if (scheme === undefined) return null;
  const isCluster = cluster !== undefined;
  const nodes = servers.split(',').map((server) => parseNode(server, isCluster ? null : PORT));
  const known = nodes.filter((node) => node !== null);
  const user = parseLogin(login);
  if (known.length < nodes.length || user === null) return null;
  // A cluster has one database.
  if (isCluster ? Number(database) > 0 : nodes.length > 1) return null;
  return { nodes: known, isCluster, isTls: scheme === 'rediss', ...user, database: Number(database) };
}

/** The hosts that a `REDIS_URL` reaches without TLS. */
export function plainRedisHosts(url: string): readonly string[] {
  const parsed = parseRedisUrl(url);
  return parsed === null || parsed.isTls ? [] : parsed.nodes.map(({ host }) => host);
}

/** `defaultPort` null: the port must be there. */
function parseNode(text: string, defaultPort: number | null): RedisNode | null {
  const [, ipv6, name, digits] = NODE.exec(text) ?? [];
  const host = ipv6 ?? name;
  const port = digits === undefined ? defaultPort : Number(digits);
  return host === undefined || port === null || port < 1 || port > PORT_MAX ? null : { host, port };
}

/** `user:password`, both percent-encoded; null when they are not. */
function parseLogin(text = ''): Pick<RedisUrl, 'username' | 'password'> | null {
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/s.exec(text) ?? [];
  try {
    return {
      username: decodeURIComponent(user) || null,
      password: decodeURIComponent(password ?? '') || null,
    };
  } catch {
    return null;
  }
}
