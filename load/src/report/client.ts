import { clientShareOf, type LoadFigures } from '../figures.js';
import { shortMs } from './table.js';

/** From this share of the client on, latencies are unreliable. */
const LARGE_SHARE = 0.25;
/** Shorter waits are the client's usual work, in milliseconds. */
const LARGE_MS_MIN = 1;

type Client = Pick<LoadFigures, 'client' | 'operations'>;

/** Whether the client's part of the latencies is too large for reliable figures. */
export function isClientLarge(figures: Client): boolean {
  return clientShareOf(figures) >= LARGE_SHARE && figures.client.wait.p99 >= LARGE_MS_MIN;
}

/** A text with the waits in the client, such as `waited in the client: p50 0.41, p99 2.10 ms; …`. */
export function clientText({ client: { wait, late, loopDelay } }: Pick<LoadFigures, 'client'>): string {
  const both = ({ p50, p99 }: { readonly p50: number; readonly p99: number }): string =>
    `p50 ${shortMs(p50)}, p99 ${shortMs(p99)} ms`;
  return `waited in the client: ${both(wait)}; planned calls were late by: ${both(late)}; its event loop was late by: ${both(loopDelay)}`;
}
