import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '../../test/support/run-command.js';

const run = (...args: readonly string[]) => runCommand(args);

describe('what the placard command refuses by itself', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'placard-refusals-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('is a catalog file with faults; a validation speaks of no change', async () => {
    const file = path.join(folder, 'bad.yaml');
    writeFileSync(file, 'global: {}\n---\nglobal: {}\n');
    expect(await run('catalog', 'validate', file)).to.deep.equal({
      status: 1,
      out: '',
      err:
        'file: holds more than one YAML document; write all of it as one, without a line --- in its middle\n' +
        `placard: ${file} has 1 fault. Correct the file and try again.\n`,
    });
    writeFileSync(file, 'publishers: [{ id: pub_a }]');
    expect((await run('catalog', 'validate', file)).err).to.match(
      /\nplacard: \S+ has 2 faults\. Correct the file and try again\.\n$/,
    );
  });

  for (const when of ['1900-01-01', '1969-12-31T23:59:59Z', '10000-01-01', '2026-02-30', 'today']) {
    it(`is a report from ${when}, with the dates that there are`, async () => {
      expect(await run('report', '--from', when)).to.deep.equal({
        status: 1,
        out: '',
        err:
          `placard: --from ${when} is no date from 1970 to 9999. ` +
          'Write a UTC day such as 2026-01-31 or an instant such as 2026-01-31T10:00:00Z.\n',
      });
    });
  }
});
