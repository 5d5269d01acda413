import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OPERATOR_KEY, startProduct } from '@placard/local';
import { DEMO_APP, FORMATS, type Format } from '../driver/catalog.js';
import { becomes, Phone } from '../driver/phone.js';
import { ROOT, runPlacard } from '../driver/placard.js';
import { findChromium, openChromium } from './chromium.js';
import { TryPage } from './try-page.js';
import { Visit } from './visit.js';

const FOLDER = path.join(ROOT, 'docs', 'images');
/** A picture is read by everybody who reads its page. */
const BYTES_MAX = 100_000;
const SCALE = 0.8;
/** Longer than the page takes between two looks at its timers. */
const TICK_MS = 1_000;
/** The campaign that fills rewarded ads of the demo catalog everywhere. */
const CAMPAIGN = 'cmp_galaxy';
const CHANGE_MS_MAX = 30_000;

/** Takes the pictures of `docs/images` from the page `/try` of a new product with the demo catalog. */
async function main(): Promise<void> {
  const browser = await openChromium(await findChromium());
  const product = await startProduct();
  try {
    await mkdir(FOLDER, { recursive: true });
    for (const format of FORMATS) await answers(product.gatewayUrl, format, /^cmp_/);
    const visit = await Visit.open(browser, { url: product.gatewayUrl, scale: SCALE, movesClock: true });
    const page = new TryPage(visit);
    await begin(page, 'banner');
    await page.bannerButton.click();
    await page.ad.waitFor();
    await becomes(CHANGE_MS_MAX, async () => (await visit.seen()).impressions === 1);
    await keep('banner', await page.phone.screenshot());
    await keep('try', await wholePage(visit));

    for (const format of ['interstitial', 'rewarded'] as const) {
      await begin(page, format);
      await page.loadButton.click();
      await page.showButton.click();
      await page.closeButton.waitFor();
      await keep(format, await page.phone.screenshot());
      await page.closeButton.click();
    }

    await runPlacard(product.consoleAddress, ['campaign', 'pause', CAMPAIGN]);
    await answers(product.gatewayUrl, 'rewarded', /no_eligible_campaign/);
    await begin(page, 'rewarded');
    await page.loadButton.click();
    await page.explains(CAMPAIGN, 'status');
    await keep('no-fill', await wholePage(visit));
  } finally {
    await browser.close();
    await product.stop();
  }
}

async function begin(page: TryPage, format: Format): Promise<void> {
  await page.open(OPERATOR_KEY);
  await page.startKnown(DEMO_APP.id);
  await page.choose(format);
}

/** The page, with timers that run. */
async function wholePage({ page }: Visit): Promise<Buffer> {
  await page.clock.runFor(TICK_MS);
  return page.screenshot({ fullPage: true });
}

/** Waits until ad requests of a format have this outcome: budgets and changes reach every process after a while. */
async function answers(url: string, format: Format, wanted: RegExp): Promise<void> {
  const isThere = await becomes(CHANGE_MS_MAX, async () =>
    wanted.test(await (await Phone.open(url, DEMO_APP)).outcome(format)),
  );
  if (!isThere) throw new Error(`The outcome of a request for ${format} is not ${String(wanted)}.`);
}

async function keep(name: string, picture: Buffer): Promise<void> {
  if (picture.length > BYTES_MAX) {
    throw new Error(`The picture ${name} has ${picture.length} bytes; at most ${BYTES_MAX} are kept.`);
  }
  await writeFile(path.join(FOLDER, `${name}.png`), picture);
  process.stdout.write(`docs/images/${name}.png: ${picture.length} bytes\n`);
}

await main();
