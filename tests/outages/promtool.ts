import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL('../../.data/cache/prometheus', import.meta.url));
const UNPACKED = path.join(CACHE, 'usr', 'bin', 'promtool');
const HOW =
  'The alert rules are tested with promtool of Prometheus, and none was found. Install Prometheus 2.42 or newer ' +
  '(Debian, Ubuntu: apt-get install prometheus; macOS: brew install prometheus) so that promtool is on the PATH';

let found: Promise<string> | null = null;

/**
 * Finds promtool: on the PATH, unpacked before, or in Debian's package, which is unpacked without a change of the system.
 * Rejects with a sentence that says how to get one.
 */
export function findPromtool(): Promise<string> {
  found ??= find();
  return found;
}

async function find(): Promise<string> {
  const onPath = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .map((folder) => path.join(folder, 'promtool'))
    .find((file) => existsSync(file));
  if (onPath !== undefined) return onPath;
  if (!existsSync(UNPACKED)) await unpack();
  return UNPACKED;
}

async function unpack(): Promise<void> {
  const folder = `${CACHE}.${process.pid}`;
  const lists = path.join(folder, 'lists', 'partial');
  try {
    mkdirSync(lists, { recursive: true });
    const apt = ['-qq', '-o', 'APT::Sandbox::User=root'];
    const ownLists = [...apt, '-o', `Dir::State::lists=${path.dirname(lists)}`, '-o', `Dir::Cache=${folder}`];
    const download = (options: readonly string[]) =>
      run('apt-get', [...options, 'download', 'prometheus'], { cwd: folder });
    // The lists of the system may be empty, or too old for a download.
    await download(apt).catch(async () => {
      await run('apt-get', [...ownLists, 'update']);
      return download(ownLists);
    });
    const file = readdirSync(folder).find((name) => name.endsWith('.deb')) ?? '';
    await run('dpkg-deb', ['-x', path.join(folder, file), path.join(folder, 'tree')]);
    rmSync(CACHE, { recursive: true, force: true });
    renameSync(path.join(folder, 'tree'), CACHE);
  } catch (error) {
    throw new Error(`${HOW}.`, { cause: error });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
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
