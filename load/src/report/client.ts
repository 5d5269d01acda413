import { clientShareOf, type LoadFigures } from '../figures.js';
import { shortMs } from './table.js';

/** From this share on the latencies say more of the client than of the product. */
const LARGE_SHARE = 0.25;
/** Waits below this are the client's usual work, in milliseconds. */
const LARGE_MS_MIN = 1;

type Client = Pick<LoadFigures, 'client' | 'operations'>;

/** Whether the client itself caused so much of the latencies that they should not be believed. */
export function isClientLarge(figures: Client): boolean {
  return clientShareOf(figures) >= LARGE_SHARE && figures.client.wait.p99 >= LARGE_MS_MIN;
}

/** How long calls waited within the client, such as `waited in the client: p50 0.41, p99 2.10 ms; …`. */
export function clientText({ client: { wait, loopDelay } }: Pick<LoadFigures, 'client'>): string {
  const both = ({ p50, p99 }: { readonly p50: number; readonly p99: number }): string =>
    `p50 ${shortMs(p50)}, p99 ${shortMs(p99)} ms`;
  return `waited in the client: ${both(wait)}; its event loop was late by: ${both(loopDelay)}`;
}
