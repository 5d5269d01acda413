import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The ports in the data folder of a product: `postgres`, `gateway.metrics`, `console-service.grpc`, … */
export async function portsOf(dataDir: string): Promise<Readonly<Record<string, number>>> {
  const text = await readFile(path.join(dataDir, 'ports.json'), 'utf8');
  return JSON.parse(text) as Readonly<Record<string, number>>;
}
