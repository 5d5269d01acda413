import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { showBuildInfo } from './build-info.js';

describe('placard_build_info', () => {
  it('has the name of the process and the version of its own service', async () => {
    const dir = mkdtempSync(path.join(tmpdir(), 'placard-service-'));
    try {
      writeFileSync(path.join(dir, 'package.json'), '{ "version": "3.2.1" }');
      const metrics = new Registry();
      showBuildInfo({ name: 'x-worker', metrics }, pathToFileURL(path.join(dir, 'dist', 'worker.js')).href);
      expect(await metrics.metrics()).to.match(
        /^placard_build_info\{process="x-worker",version="3\.2\.1"\} 1$/m,
      );
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});
