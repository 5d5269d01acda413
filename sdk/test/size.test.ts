import { expect } from 'chai';
import { build } from 'esbuild';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** Bytes that the client may cost an app, compressed. */
const BYTES_MAX = 8_192;
/** A change of a few lines need not change the page. */
const STATED_KB_OFF_MAX = 0.2;

/** The compressed bytes of a bundle of some source text that imports the SDK. */
async function bundledBytes(contents: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: fileURLToPath(new URL('.', import.meta.url)) },
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    write: false,
    logLevel: 'silent',
  });
  return gzipSync(outputFiles[0]!.contents, { level: 9 }).byteLength;
}

/** What docs/sdk.md says of the bundle: kilobytes of the client, and of the client with the views. */
function statedSizes(): readonly number[] {
  const page = readFileSync(new URL('../../docs/sdk.md', import.meta.url), 'utf8');
  const [, client = '', all = ''] = /The client is ([0-9.]+) kB[^.]*?([0-9.]+) kB/.exec(page) ?? [];
  return [Number(client), Number(all)];
}

describe('the bundle of the SDK', () => {
  it('has at most 8 kB, compressed, with the views of pages', async () => {
    const client = await bundledBytes(`export * from '../src/index.ts';`);
    const all = await bundledBytes(`export * from '../src/index.ts'; export * from '../src/dom/index.ts';`);
    expect(client).to.be.within(1_000, all);
    expect(all).to.be.at.most(BYTES_MAX);
    const [clientKb, allKb] = statedSizes();
    expect(client / 1_024, 'docs/sdk.md').to.be.closeTo(clientKb!, STATED_KB_OFF_MAX);
    expect(all / 1_024, 'docs/sdk.md').to.be.closeTo(allKb!, STATED_KB_OFF_MAX);
  });

  it('leaves out what an app does not import', async () => {
    const client = await bundledBytes(`import { Placard } from '../src/index.ts'; console.log(Placard);`);
    const error = await bundledBytes(
      `import { PlacardError } from '../src/index.ts'; console.log(PlacardError);`,
    );
    expect(error).to.be.below(client / 4);
  });
});
