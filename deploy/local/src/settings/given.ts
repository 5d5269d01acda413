/** A setting like the processes read it: without surrounding blanks and line ends; undefined when it is empty. */
export function given(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
