/** Reads the metrics of a process in the text format of Prometheus. Rejects when it does not answer. */
export async function readMetrics(url: string): Promise<string> {
  try {
    return await (await fetch(url)).text();
  } catch (error) {
    throw new Error(
      `${url} does not answer: its process has ended or is starting again, so the run is invalid`,
      {
        cause: error,
      },
    );
  }
}

/** The value of a metric: the sum of its series with these labels; 0 when there is none. */
export function valueOf(text: string, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  let sum = 0;
  for (const line of text.split('\n')) {
    const rest = line.startsWith(name) ? line.slice(name.length) : '';
    if (!rest.startsWith('{') && !rest.startsWith(' ')) continue;
    // Label values come from closed lists. None contains a comma.
    const borne = rest.slice(1, Math.max(1, rest.lastIndexOf('}'))).split(',');
    if (wanted.every((label) => borne.includes(label))) sum += Number(rest.slice(rest.lastIndexOf(' ')));
  }
  return sum;
}
