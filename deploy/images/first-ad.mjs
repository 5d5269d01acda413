import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';

const CLICK_DELAY_MS = 1_200;

/**
 * Requests the demo app's first ad like a phone: session, ad, impression, click. Throws an error with the first unexpected
 * answer.
 * @param {string} gatewayUrl
 * @param {{ readonly app_key: string, readonly package_name: string }} app
 */
export async function serveFirstAd(gatewayUrl, app) {
  const post = async (path, fields) => {
    const answer = await fetch(`${gatewayUrl}/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text);
  };
  const { session_token } = await post('sdk/initialize', app);
  const ad = await post('ads/request', {
    app_key: app.app_key,
    placement: 'home_banner',
    format: 'banner',
    session_token,
  });
  if (ad.status !== 'fill') throw new Error(`ads/request gave no ad: ${JSON.stringify(ad)}`);
  const event = { request_id: ad.request_id, impression_token: ad.ad.impression_token };
  await post('events/impression', event);
  await sleep(CLICK_DELAY_MS);
  await post('events/click', event);
  return `${ad.request_id} of campaign ${ad.ad.campaign_id}`;
}

/**
 * The addresses of a product from its `ready` message.
 * @param {{ readonly addresses: { readonly gatewayUrls: readonly string[], readonly consoleAddress: string } }} message
 */
export function reachedAt({ addresses: { gatewayUrls, consoleAddress } }) {
  return { gatewayUrl: gatewayUrls[0], consoleAddress };
}

/**
 * Reads the arguments of `deploy/images/start`; a fault is one line.
 * @param {readonly string[]} args
 */
export function readArguments(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        tag: { type: 'string' },
        prefix: { type: 'string', default: 'placard/' },
        port: { type: 'string', default: '8080' },
        once: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (!/^[1-9]\d{0,4}$/.test(values.port)) return { fault: '--port must be a whole number.' };
    return { values };
  } catch (error) {
    return { fault: `${error.message.split('\n')[0].replace(/\.?$/, '')}.` };
  }
}
