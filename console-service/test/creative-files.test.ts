import { makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { readdirSync } from 'node:fs';
import { DEMO_FILES, DEMO_PATH } from '../src/catalog/domain/addresses/demo-files.js';
import { makeCreativeFiles } from '../src/routes/creative-files.js';
import { openHttpServer } from '../src/routes/http-server.js';

const MP4_BYTES_MAX = 100_000;
/** The demo files together load in a blink, also over a slow network. */
const DEMO_BYTES_MAX = 60_000;

/** Width and height of a PNG in pixels: its first chunk has them. */
function pngSize(bytes: Buffer): readonly number[] {
  expect(bytes.subarray(1, 4).toString()).to.equal('PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** Width, height and length of an MP4 with one track: in 16.16 pixels at the end of `tkhd`, and as ticks in `mvhd`. */
function videoFacts(bytes: Buffer): readonly number[] {
  const header = bytes.indexOf('mvhd') + 4;
  const track = bytes.indexOf('tkhd') + 4;
  expect(bytes[header], 'short fields').to.equal(0);
  const seconds = bytes.readUInt32BE(header + 16) / bytes.readUInt32BE(header + 12);
  return [bytes.readUInt32BE(track + 76) / 65_536, bytes.readUInt32BE(track + 80) / 65_536, seconds];
}

/** A video that players begin before all of it has arrived, in the coding that every phone has. */
function expectVideo(bytes: Buffer): void {
  expect(bytes.subarray(4, 8).toString()).to.equal('ftyp');
  expect(bytes.includes('avc1')).to.equal(true);
  expect(bytes.indexOf('moov')).to.be.below(bytes.indexOf('mdat'));
}

describe('the creative files', () => {
  let scope: TestScope;
  let origin: string;

  before(async () => {
    scope = makeTestScope();
    const { port } = await openHttpServer(scope, makeCreativeFiles(), { host: '127.0.0.1', port: 0 });
    origin = `http://127.0.0.1:${port}`;
  });
  after(() => scope.close());

  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    // With a condition set by hand, fetch requests a fresh copy, unless Cache-Control allows an age.
    const all = { Connection: 'close', 'Cache-Control': 'max-age=0', ...headers };
    const response = await fetch(origin + path, { headers: all });
    const body = Buffer.from(await response.arrayBuffer());
    return { response, body };
  };

  it('are sent with the end of the connection while the process stops', async () => {
    const stopping = makeTestScope();
    const { port } = await openHttpServer(stopping, makeCreativeFiles(), { host: '127.0.0.1', port: 0 });
    const connectionOf = async (): Promise<string | null> => {
      const response = await fetch(`http://127.0.0.1:${port}/creatives/test/banner.png`);
      await response.arrayBuffer();
      return response.headers.get('connection');
    };
    expect(await connectionOf()).to.equal('keep-alive');
    stopping.stop();
    expect(await connectionOf()).to.equal('close');
    await stopping.close();
  });

  for (const [name, width, height] of [
    ['banner', 320, 50],
    ['interstitial', 1080, 1920],
  ] as const) {
    it(`contain a test ${name} of ${width}×${height} in PNG`, async () => {
      const { response, body } = await get(`/creatives/test/${name}.png`);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('image/png');
      expect(pngSize(body)).to.deep.equal([width, height]);
    });
  }

  it('contain a short test video in MP4 with H.264 and its index at the front', async () => {
    const { response, body } = await get('/creatives/test/rewarded.mp4');
    expect(response.headers.get('content-type')).to.equal('video/mp4');
    expect(body.length).to.be.below(MP4_BYTES_MAX);
    expectVideo(body);
    expect(videoFacts(body)).to.deep.equal([720, 1280, 5]);
  });

  it('contain the demo files that a catalog may name, and no others', () => {
    const files = readdirSync(new URL('../assets/demo', import.meta.url));
    expect(files.sort()).to.deep.equal(Object.keys(DEMO_FILES).sort());
  });

  for (const [name, { type, width, height, durationSeconds }] of Object.entries(DEMO_FILES)) {
    it(`contain the ${type} ${name}, which is what the catalog takes it for`, async () => {
      const { response, body } = await get(DEMO_PATH + name);
      expect(response.status).to.equal(200);
      expect(response.headers.get('access-control-allow-origin')).to.equal('*');
      expect(body.length).to.be.below(DEMO_BYTES_MAX);
      const isVideo = type === 'video';
      expect(response.headers.get('content-type')).to.equal(isVideo ? 'video/mp4' : 'image/png');
      if (isVideo) expectVideo(body);
      expect(isVideo ? videoFacts(body) : [...pngSize(body), null]).to.deep.equal([
        width,
        height,
        durationSeconds,
      ]);
    });
  }

  it('may be cached, are fetched again only after a change, and have the right content type', async () => {
    const { response } = await get('/creatives/test/banner.png');
    expect(response.headers.get('cache-control')).to.equal('public, max-age=86400');
    expect(response.headers.get('x-content-type-options')).to.equal('nosniff');
    const etag = response.headers.get('etag') ?? '';
    expect((await get('/creatives/test/banner.png', { 'If-None-Match': etag })).response.status).to.equal(
      304,
    );
  });

  it('are sent in ranges to players that seek', async () => {
    const { response, body } = await get('/creatives/test/rewarded.mp4', { Range: 'bytes=10-19' });
    expect(response.status).to.equal(206);
    expect(body).to.have.length(10);
    expect((await get('/creatives/test/rewarded.mp4', { Range: 'bytes=9999999-' })).response.status).to.equal(
      416,
    );
  });

  for (const path of [
    '/',
    '/creatives/test/',
    '/creatives/test',
    '/creatives/',
    '/creatives/demo/none.png',
    '/creatives/demo/..%2ftest/banner.png',
    '/creatives/banner.png',
    '/creatives/test/%',
    '/creatives/test/..%2fpackage.json',
    '/creatives/test/%00',
    '/package.json',
  ]) {
    it(`are not at ${path}: 404 in JSON`, async () => {
      const { response, body } = await get(path);
      expect(response.status).to.equal(404);
      expect(response.headers.get('content-type')).to.equal('application/json; charset=utf-8');
      expect(JSON.parse(body.toString())).to.have.property('error');
    });
  }
});
