import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { announcementOf, initializeCurl, type Announcement } from './announce.js';

const facts: Announcement = {
  gatewayUrls: ['http://127.0.0.1:8080'],
  manageUrl: 'http://127.0.0.1:20001',
  keyFile: '/data/keys/operator',
  metrics: { gateway: 'http://127.0.0.1:20002/metrics', 'serving-service': 'http://127.0.0.1:20003/metrics' },
  dataDir: '/data',
  logsDir: '/data/logs',
  keyRingFiles: [],
  readKey: 'plk_read',
  app: { appKey: 'app_0123456789abcdefghijABCD', packageName: 'com.sunrise.puzzle' },
};

describe('the last output of a start', () => {
  it('has READY on a line of its own', () => {
    expect(announcementOf(facts).filter((line) => line === 'READY')).to.have.length(1);
  });

  it('names the gateway, the docs, every metrics address, the app key and how to stop', () => {
    const text = announcementOf(facts).join('\n');
    expect(text).to.include('http://127.0.0.1:8080/v1');
    expect(text).to.include('http://127.0.0.1:8080/docs');
    expect(text).to.include('http://127.0.0.1:20002/metrics');
    expect(text).to.include('http://127.0.0.1:20003/metrics');
    expect(text).to.include('app_0123456789abcdefghijABCD');
    expect(text).to.include('Ctrl-C');
  });

  it('links the page on which a person can try an ad, with a key and an app if there is one', () => {
    const lines = (changes: Partial<Announcement>) =>
      announcementOf({ ...facts, ...changes }).map((line) => line.trim());
    const page = 'try       http://127.0.0.1:8080/try';
    const app = 'app=app_0123456789abcdefghijABCD&package=com.sunrise.puzzle';
    expect(lines({})).to.include(`${page}#key=plk_read&${app}`);
    expect(lines({ app: null })).to.include(`${page}#key=plk_read`);
    expect(lines({ readKey: null })).to.include(`${page}#${app}`);
    expect(lines({ readKey: null, app: null })).to.include(page);
  });

  it('names the address of each gateway', () => {
    const gatewayUrls = ['http://127.0.0.1:8080', 'http://127.0.0.1:20009'];
    const text = announcementOf({ ...facts, gatewayUrls }).join('\n');
    for (const url of gatewayUrls) expect(text).to.include(`${url}/v1`);
    expect(text, 'the curl to paste').to.include('curl -sS http://127.0.0.1:8080/v1');
  });

  it('explains how to get an app when the catalog has none', () => {
    expect(announcementOf({ ...facts, app: null }).join('\n')).to.include('npx placard catalog apply');
  });
});

describe('the curl to paste', () => {
  it('is one line whose JSON a shell passes unchanged', () => {
    const app = { appKey: "app_'$(id)", packageName: 'com."x".`y`' };
    const line = initializeCurl('http://127.0.0.1:8080', app);
    expect(line).not.to.include('\n');
    const words = execFileSync('/bin/sh', ['-c', line.replace('curl', "printf '%s\\n'")], {
      encoding: 'utf8',
    });
    const body = words.trim().split('\n').at(-1) ?? '';
    expect(JSON.parse(body)).to.deep.equal({ app_key: app.appKey, package_name: app.packageName });
  });
});
