import { makeTestScope, type TestScope } from '@placard/service-kit/testing';
import { expect } from 'chai';
import { makeCreativeFiles } from '../src/routes/creative-files.js';
import { openHttpServer } from '../src/routes/http-server.js';

/** Places in the file formats: the size in a PNG, and the name of the video coding in an MP4. */
const PNG_SIZE_AT = 16;
const MP4_BYTES_MAX = 100_000;

describe('the built-in creatives', () => {
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
    it(`contain a ${name} of ${width}×${height} in PNG`, async () => {
      const { response, body } = await get(`/creatives/test/${name}.png`);
      expect(response.status).to.equal(200);
      expect(response.headers.get('content-type')).to.equal('image/png');
      expect(body.subarray(1, 4).toString()).to.equal('PNG');
      expect([body.readUInt32BE(PNG_SIZE_AT), body.readUInt32BE(PNG_SIZE_AT + 4)]).to.deep.equal([
        width,
        height,
      ]);
    });
  }

  it('contain a short rewarded video in MP4 with H.264 and its index at the front', async () => {
    const { response, body } = await get('/creatives/test/rewarded.mp4');
    expect(response.headers.get('content-type')).to.equal('video/mp4');
    expect(body.length).to.be.below(MP4_BYTES_MAX);
    expect(body.subarray(4, 8).toString()).to.equal('ftyp');
    expect(body.includes('avc1')).to.equal(true);
    expect(body.indexOf('moov')).to.be.below(body.indexOf('mdat'));
  });

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
