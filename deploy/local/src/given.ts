/** A setting as the processes read it: without blanks and line ends around it; undefined when nothing is left. */
export function given(env: NodeJS.ProcessEnv, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
