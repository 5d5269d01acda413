import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import type { Manifest } from './manifests.js';

const run = promisify(execFile);
const RENDER_MS_MAX = 20_000;

/** The folder of the manifests. */
export const MANIFESTS_DIR = fileURLToPath(new URL('../../deploy/k8s', import.meta.url));

/** Why this machine cannot render manifests; null when it can. */
export async function missingTool(): Promise<string | null> {
  try {
    await run('kubectl', ['version', '--client'], { timeout: RENDER_MS_MAX });
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'kubectl is not on the PATH' : String(error);
  }
}

/** Renders a folder below {@link MANIFESTS_DIR} with `kubectl kustomize`; rejects with its message. */
export async function render(folder: string): Promise<readonly Manifest[]> {
  return renderDir(path.join(MANIFESTS_DIR, folder));
}

/** Renders an overlay with one of the optional components. */
export async function renderWith(overlay: string, component: string): Promise<readonly Manifest[]> {
  const dir = await mkdtemp(path.join(tmpdir(), 'placard-kustomize-'));
  const from = (folder: string): string => path.relative(dir, path.join(MANIFESTS_DIR, folder));
  try {
    const kustomization = { resources: [from(overlay)], components: [from(component)] };
    // JSON is valid YAML.
    await writeFile(path.join(dir, 'kustomization.yaml'), JSON.stringify(kustomization));
    return await renderDir(dir);
  } finally {
    await rm(dir, { recursive: true });
  }
}

/** Renders any folder with `kubectl kustomize`. */
export async function renderDir(dir: string): Promise<readonly Manifest[]> {
  const { stdout } = await run('kubectl', ['kustomize', dir], { timeout: RENDER_MS_MAX });
  return parseAllDocuments(stdout).map((document) => document.toJS() as Manifest);
}
