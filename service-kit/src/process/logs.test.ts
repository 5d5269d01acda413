import { expect } from 'chai';
import { makeLogger } from './logs.js';

describe('makeLogger', () => {
  function linesOf(
    level: string,
    write: (log: ReturnType<typeof makeLogger>) => void,
  ): Record<string, unknown>[] {
    const lines: string[] = [];
    write(
      makeLogger('x-service', level, { destination: { write: (line: string) => void lines.push(line) } }),
    );
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  it('writes one JSON object per line, with the name and an instant in UTC', () => {
    const [line] = linesOf('info', (log) => log.info({ campaign: 'cmp_x' }, 'something happened'));
    expect(line).to.include({ name: 'x-service', campaign: 'cmp_x', msg: 'something happened' });
    expect(line?.['time']).to.match(/^\d{4}-\d\d-\d\dT.*Z$/);
  });

  it('leaves out lines below its level', () => {
    expect(linesOf('warn', (log) => log.info('quiet'))).to.deep.equal([]);
  });

  it('removes tokens, addresses and bodies, at the top and one level down', () => {
    const secrets = { session_token: 's', impressionToken: 's', body: 's', ip: 's', token: 's' };
    const [line] = linesOf('info', (log) => log.info({ ...secrets, request: secrets, kept: 1 }, 'x'));
    expect(JSON.stringify(line)).to.not.include('"s"');
    expect(line).to.include({ kept: 1 });
  });
});
