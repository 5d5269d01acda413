import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** What the examples of docs/sdk.md use of the app that they are in. */
const APP: Readonly<Record<string, string>> = {
  placard: `declare const placard: import('@placard/sdk').Placard;`,
  ad: `declare const ad: import('@placard/sdk').FullscreenAd;`,
  fullscreenView: `import { fullscreenView } from '@placard/sdk/dom';`,
  showOtherNetwork: 'declare function showOtherNetwork(unit: string): void;',
  grantLife: 'declare function grantLife(): void;',
  drawYourself: `declare function drawYourself(ad: import('@placard/sdk').Ad): Promise<void>;`,
  drawInPlace: `declare function drawInPlace(ad: import('@placard/sdk').Ad): Promise<void>;`,
  emptyPlace: 'declare function emptyPlace(): void;',
  openUrl: 'declare function openUrl(url: string): void;',
  onTap: 'declare function onTap(tapped: () => Promise<void>): void;',
  onTapInPlace: 'declare function onTapInPlace(tapped: () => Promise<void>): void;',
  onHalfInView: 'declare function onHalfInView(seen: () => Promise<void>): void;',
  onVideoEnd: 'declare function onVideoEnd(ended: () => Promise<boolean>): void;',
  closedByUser: 'declare function closedByUser(): Promise<void>;',
};

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const TEST_MS_MAX = 30_000;

/** The examples, each as a module. One with `…` has left something out, and needs the packages of its platform. */
function examples(): ReadonlyMap<string, string> {
  const page = readFileSync(new URL('../../docs/sdk.md', import.meta.url), 'utf8');
  const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = '']) => code);
  return new Map(
    blocks
      .filter((code) => !code.includes('…'))
      .map((code, index) => [`${FOLDER}example-${index + 1}.ts`, `${declared(code)}\n${code}\nexport {};\n`]),
  );
}

function declared(code: string): string {
  const isMissing = (name: string): boolean => !new RegExp(`(const|import) [{ ]*${name}\\b`).test(code);
  return Object.keys(APP)
    .filter(isMissing)
    .map((name) => APP[name])
    .join('\n');
}

describe('the examples of docs/sdk.md', () => {
  it('compile under the strict rules of TypeScript', () => {
    const texts = examples();
    expect(texts.size).to.be.at.least(5);
    const options: ts.CompilerOptions = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      skipLibCheck: true,
      types: [],
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      customConditions: ['source'],
    };
    const host = ts.createCompilerHost(options);
    const readFile = (name: string): string | undefined => texts.get(name) ?? ts.sys.readFile(name);
    const program = ts.createProgram([...texts.keys()], options, {
      ...host,
      readFile,
      fileExists: (name) => texts.has(name) || ts.sys.fileExists(name),
      getSourceFile: (name, version) => ts.createSourceFile(name, readFile(name) ?? '', version),
    });
    const faults = ts
      .getPreEmitDiagnostics(program)
      .map((fault) => `${fault.file?.fileName}: ${ts.flattenDiagnosticMessageText(fault.messageText, ' ')}`);
    expect(faults).to.deep.equal([]);
  }).timeout(TEST_MS_MAX);
});
