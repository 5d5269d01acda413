import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { announcementOf, initializeCurl, type Announcement } from './announce.js';

const facts: Announcement = {
  gatewayUrl: 'http://127.0.0.1:8080',
  consoleAddress: '127.0.0.1:20001',
  metrics: { gateway: 'http://127.0.0.1:20002/metrics', 'serving-service': 'http://127.0.0.1:20003/metrics' },
  dataDir: '/data',
  logsDir: '/data/logs',
  keyRingFiles: [],
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
