import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startProduct, type Product } from '@placard/local';
import { expect } from 'chai';
import type { Verification } from '../driver/books.js';
import { Phone } from '../driver/phone.js';
import { readPlacard } from '../driver/placard.js';
import type { Fill } from '../driver/wire.js';
import { accept, app, backUp, catalog, keepShowing, makeFolder, PRICE, spentOf } from '../restore/drill.js';

const BEFORE = 40;
const SHOWN_LATER = 12;
const DRILL_MS_MAX = 240_000;

describe('a backup that is taken under traffic', () => {
  const folders: string[] = [];
  let product: Product | null = null;
  after(async () => {
    await product?.stop();
    await Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true })));
  });

  it('restores a product whose books add up and that refuses duplicates and serves ads', async () => {
    folders.push(await makeFolder(), await makeFolder());
    const [from, to] = folders as [string, string];
    const file = path.join(from, 'catalog.json');
    await writeFile(file, JSON.stringify(catalog));
    product = await startProduct({ dataDir: from, catalog: file });
    const phones: [Phone, Fill][] = [];
    for (let index = 0; index < BEFORE; index += 1) {
      const phone = await Phone.open(product.gatewayUrl, app);
      phones.push([phone, await phone.fill('banner')]);
    }
    const [shownLater, shown] = [phones.slice(0, SHOWN_LATER), phones.slice(SHOWN_LATER)];
    for (const [phone, fill] of shown) await accept(phone, fill);
    const traffic = keepShowing(product);
    await backUp(from, to);
    const meanwhile = await traffic.stop();
    await product.stop();

    product = await startProduct({ dataDir: to, catalog: file });
    const { ok, checks } = await readPlacard<Verification>(
      product.consoleAddress,
      'ledger',
      'verify',
      '--full',
      '--wait',
    );
    expect(ok, JSON.stringify(checks)).to.equal(true);
    const restored = await spentOf(product);
    expect(restored % PRICE).to.equal(0n);
    expect(Number(restored / PRICE)).to.be.within(shown.length, shown.length + meanwhile.length);
    // The addresses have new ports. Sessions and ads are the same.
    const again = (phone: Phone, fill: Fill) => phone.at(product!.gatewayUrl).impression(fill);
    for (const [phone, fill] of shown) {
      const answer = await again(phone, fill);
      expect(answer.body.reason, answer.text).to.equal('duplicate');
    }
    for (const [phone, fill] of shownLater) expect((await again(phone, fill)).status).to.equal(200);
    await readPlacard<Verification>(product.consoleAddress, 'ledger', 'verify', '--full', '--wait');
    expect((await spentOf(product)) - restored).to.equal(PRICE * BigInt(SHOWN_LATER));
  }).timeout(DRILL_MS_MAX);
});
