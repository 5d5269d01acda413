import { expect } from 'chai';
import { chaptersOf, patternOf, versionsIn } from './document.js';

const DOCUMENT = `# A day

## One

\`\`\`yaml
# a.yaml
global: {}
\`\`\`

<!-- phones -->

\`\`\`console
$ npx placard catalog apply a.yaml
nothing changed (version 4)
$ npx placard ledger adjust adv_a 1 --reason "an error"
\`\`\`

## Two

Nothing to run.
`;

describe('a document with commands', () => {
  it('has chapters with files, phones, and commands with their output', () => {
    expect(chaptersOf(DOCUMENT)).to.deep.equal([
      {
        title: 'One',
        steps: [
          { kind: 'file', name: 'a.yaml', text: '# a.yaml\nglobal: {}\n' },
          { kind: 'phones' },
          {
            kind: 'command',
            args: ['catalog', 'apply', 'a.yaml'],
            output: ['nothing changed (version 4)'],
          },
          {
            kind: 'command',
            args: ['ledger', 'adjust', 'adv_a', '1', '--reason', 'an error'],
            output: [],
          },
        ],
      },
    ]);
  });

  it('has output in which any text, lines, blanks and versions may stand for others', () => {
    const pattern = patternOf(['a  …z', '…', 'made. (version 4)']);
    expect(pattern.exec('a    b z\nmore\nmade. (version 17)\n')?.[1]).to.equal('17');
    expect(pattern.test('a z\nmade. (version 1)\n')).to.equal(true);
    expect(pattern.test('a z\nmadeX (version 1)\n')).to.equal(false);
    expect(pattern.test('a z\nmade. (version 1)\nmore\n')).to.equal(false);
    expect(versionsIn(['a (version 4)', 'b', 'c (version 5)'])).to.deep.equal(['4', '5']);
  });
});
