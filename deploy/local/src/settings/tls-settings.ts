import { given } from './given.js';

/** Whether a setting is about TLS between processes. */
function isTlsSetting(name: string): boolean {
  return name.startsWith('TLS_') || name === 'REQUIRE_TLS';
}

/** An environment without the settings of TLS. A certificate names one service, so no two processes share it. */
export function withoutTls(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isTlsSetting(name)));
}

/** A warning that names the settings of TLS that are given. Null: none is. */
export function tlsWarning(env: NodeJS.ProcessEnv): string | null {
  const names = Object.keys(env).filter((name) => isTlsSetting(name) && given(env, name) !== undefined);
  if (names.length === 0) return null;
  const verb = names.length === 1 ? 'has' : 'have';
  return `npm start runs its processes on this machine without TLS: ${names.sort().join(', ')} ${verb} no effect.`;
}
