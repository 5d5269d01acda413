/** Secret settings. A process gets only those that it reads; other programs get none. */
export const secretNames = [
  'DATABASE_URL',
  'REDIS_URL',
  'SESSION_TOKEN_KEYS',
  'IMPRESSION_TOKEN_KEYS',
  'NETWORK_HASH_KEY',
  'BOOTSTRAP_KEY',
  'CATALOG_READ_KEY',
  'LEDGER_WRITE_KEY',
] as const;

/** Name of a secret setting. */
export type SecretName = (typeof secretNames)[number];

/** An environment without its secrets. */
export function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isSecret = (name: string): boolean => (secretNames as readonly string[]).includes(name);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSecret(name)));
}
