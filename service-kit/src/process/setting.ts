/**
 * One setting, without surrounding blanks and line ends, which files and shells may leave there. Undefined when nothing
 * remains, which counts as not set.
 */
export function settingOf(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
