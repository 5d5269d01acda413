// Part of the Dockerfile: prints the bill of materials of a service's image (CycloneDX JSON): what npm installs from the lock,
// and Node.js. The packages of the base image have bills of their own. The same tree gives the same text.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVICES } from './contents.mjs';
import { isForImage } from './platform.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [service, nodeVersion] = process.argv.slice(2);

if (!SERVICES.includes(service) || nodeVersion === undefined) {
  console.error(`Usage: sbom.mjs SERVICE NODE_VERSION, where SERVICE is one of ${SERVICES.join(', ')}.`);
  process.exit(2);
}

const readJson = (file) => JSON.parse(readFileSync(path.join(root, file), 'utf8'));
const readManifest = (folder) => readJson(`${folder}/package.json`);
const { version } = readManifest(service);
// `--omit dev` would leave out production packages too (npm 11.19), so those of development are removed below.
const options = ['--sbom-format', 'cyclonedx', '--package-lock-only'];
const text = execFileSync('npm', ['sbom', ...options, '--workspace', `@placard/${service}`], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const { metadata, components, dependencies, specVersion } = JSON.parse(text);

const isForDevelopment = ({ properties = [] }) =>
  properties.some(({ name }) => name === 'cdx:npm:package:development');
const omitted = new Set(components.filter(isForDevelopment).map((component) => component['bom-ref']));
for (const [place, locked] of Object.entries(readJson('package-lock.json').packages)) {
  if (!isForImage(locked)) omitted.add(`${place.split('node_modules/').at(-1)}@${locked.version}`);
}
const { name: rootName, version: rootVersion } = readManifest('.');
omitted.add(`${rootName}@${rootVersion}`);

const image = `placard/${service}`;
const node = {
  'bom-ref': `node@${nodeVersion}`,
  type: 'application',
  name: 'node',
  version: nodeVersion,
  purl: `pkg:generic/node@${nodeVersion}`,
  cpe: `cpe:2.3:a:nodejs:node.js:${nodeVersion}:*:*:*:*:*:*:*`,
};
const needed = { ref: image, dependsOn: [`@placard/${service}@${version}`, node['bom-ref']] };
const made = {
  bomFormat: 'CycloneDX',
  specVersion,
  version: 1,
  metadata: {
    lifecycles: metadata.lifecycles,
    tools: metadata.tools,
    component: { 'bom-ref': image, type: 'container', name: image, version },
  },
  components: [...components.filter((component) => !omitted.has(component['bom-ref'])), node],
  dependencies: [
    needed,
    ...dependencies
      .filter(({ ref }) => !omitted.has(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((to) => !omitted.has(to)) })),
  ],
};
console.log(JSON.stringify(made, null, 2));
