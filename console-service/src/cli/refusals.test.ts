import { expect } from 'chai';
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../../test/support/run-command.js';

const run = (...args: readonly string[]) => runCommand(args);

describe('the placard command refuses by itself', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'placard-refusals-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('a catalog file with faults; the message of a validation does not mention changes', async () => {
    const file = path.join(folder, 'bad.yaml');
    writeFileSync(file, 'global: {}\n---\nglobal: {}\n');
    expect(await run('catalog', 'validate', file)).to.deep.equal({
      status: 1,
      out: '',
      err:
        'file: holds more than one YAML document; write one document, without a line --- in its middle\n' +
        `placard: ${file} has 1 fault. Correct the file and try again.\n`,
    });
    writeFileSync(file, 'publishers: [{ id: pub_a, name: A, revenue_share: 0.7 }]');
    expect((await run('catalog', 'validate', file)).out).to.equal(`${file} is valid: 1 object\n`);
    writeFileSync(file, 'publishers: [{ id: pub_a }]');
    expect((await run('catalog', 'validate', file)).err).to.match(
      /\nplacard: \S+ has 2 faults\. Correct the file and try again\.\n$/,
    );
  });

  for (const verb of ['validate', 'apply']) {
    it(`a catalog file of more than 256 MiB, in ${verb}, before it reads it`, async () => {
      const file = path.join(folder, 'huge.json');
      writeFileSync(file, '');
      truncateSync(file, 256 * 1024 * 1024 + 1);
      expect(await run('catalog', verb, file)).to.deep.equal({
        status: 1,
        out: '',
        err:
          `placard: ${file} has 268435457 bytes, and a catalog file may have 268435456 (256 MiB); ` +
          'split it, or write it as JSON.\n',
      });
    });
  }

  it('an endless device as a catalog file', async () => {
    expect((await run('catalog', 'validate', '/dev/zero')).err).to.match(
      /^placard: \/dev\/zero has 268435457 bytes, and a catalog file may have 268435456 \(256 MiB\); .*\.\n$/,
    );
  });

  it('an empty --data, which would be the current folder', async () => {
    expect(await run('ledger', 'balances', '--data', '')).to.deep.equal({
      status: 1,
      out: '',
      err: 'placard: --data needs a value. Name the data folder, or omit --data to use .data.\n',
    });
  });

  for (const by of ['', ' ', 'day,', ',day']) {
    it(`a report by ${JSON.stringify(by)}`, async () => {
      const { status, out, err } = await run('report', '--by', by);
      expect({ status, out }).to.deep.equal({ status: 1, out: '' });
      expect(err).to.match(/^placard: --by names an empty key\. Choose from hour, day, .*\n$/);
    });
  }

  for (const address of ['garbage', 'host:', 'host:99999', 'ftp://127.0.0.1:8086']) {
    it(`PLACARD_ADDRESS=${address}`, async () => {
      for (const args of [
        ['ledger', 'balances'],
        ['keys', 'rotate'],
      ]) {
        expect((await runCommand(args, { PLACARD_ADDRESS: address })).err).to.equal(
          `placard: PLACARD_ADDRESS is ${address} and must be host:port of console-service's MANAGE_PORT, such as 127.0.0.1:8086, or the URL of a gateway, such as https://ads.example.com.\n`,
        );
      }
    });
  }

  it('an address without a key', async () => {
    expect((await runCommand(['ledger', 'balances'], { PLACARD_ADDRESS: '127.0.0.1:1' })).err).to.equal(
      'placard: PLACARD_KEY is not set. Set it to the text of an API key.\n',
    );
  });

  for (const when of ['1900-01-01', '1969-12-31T23:59:59Z', '10000-01-01', '2026-02-30', 'today']) {
    it(`a report from ${when}, and names the valid dates`, async () => {
      expect(await run('report', '--from', when)).to.deep.equal({
        status: 1,
        out: '',
        err:
          `placard: --from ${when} is not a date from 1970 to 9999. ` +
          'Write a day such as 2026-01-31 or an instant such as 2026-01-31T10:00:00Z.\n',
      });
    });
  }
});
