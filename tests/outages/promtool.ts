import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { findTool } from '../driver/tool.js';

const run = promisify(execFile);

let found: Promise<string> | null = null;

/** Finds promtool. Rejects with a sentence that says how to get one. */
export function findPromtool(): Promise<string> {
  found ??= findTool({
    names: ['promtool'],
    debian: { name: 'prometheus', file: 'usr/bin/promtool', needsLibraries: false },
    how:
      'The alert rules are tested with promtool of Prometheus, and none was found. Install Prometheus 2.42 or newer ' +
      '(Debian, Ubuntu: apt-get install prometheus; macOS: brew install prometheus) so that promtool is on the PATH.',
  }).then(({ file }) => file);
  return found;
}

/** Runs `promtool check rules`, or `promtool test rules`, on files of these texts; returns its complaint, or null. */
export async function runPromtool(
  action: 'check' | 'test',
  files: Readonly<Record<string, string>>,
): Promise<string | null> {
  const promtool = await findPromtool();
  const folder = mkdtempSync(path.join(tmpdir(), 'placard-rules-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
    await run(promtool, [action, 'rules', Object.keys(files)[0] ?? ''], { cwd: folder });
    return null;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    return `${stdout}${stderr}`.trim() || String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
