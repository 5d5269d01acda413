import { expect } from 'chai';
import { runCommand } from '../../../test/support/run-command.js';

describe('placard trace', () => {
  it('says what a request id looks like when it is given another text, or an empty one', async () => {
    for (const [text, name] of [
      ['', 'an empty text'],
      ['req_1', 'req_1'],
    ] as const) {
      const { status, err } = await runCommand(['trace', text]);
      expect(status).to.equal(1);
      expect(err).to.match(
        new RegExp(`^placard: ${name} is no request id\\. One is req_ and 32 hexadecimal digits .*\\n$`),
      );
    }
  });
});
