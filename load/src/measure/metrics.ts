/** What a process says of itself, in the text format of Prometheus. Rejects when it does not answer. */
export async function readMetrics(url: string): Promise<string> {
  return (await fetch(url)).text();
}

/** The value of a metric without labels; 0 when it is not there. */
export function valueOf(text: string, name: string): number {
  const line = text.split('\n').find((candidate) => candidate.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length + 1));
}
