import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Runs in console-service of a release without a management API. Answers, on MANAGE_PORT, the one call that the start of the
 * current tree needs: it applies the catalog. `placard`: URL of the release's command, which does it by gRPC.
 */
export function answerApply(placard) {
  const { HOST, GRPC_PORT, MANAGE_PORT } = process.env;
  const env = { ...process.env, PLACARD_ADDRESS: `${HOST}:${GRPC_PORT}` };
  const apply = async (catalog) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'placard-apply-'));
    try {
      const file = path.join(folder, 'catalog.json');
      await writeFile(file, catalog);
      await run(process.execPath, [fileURLToPath(placard), 'catalog', 'apply', file], { env });
    } finally {
      await rm(folder, { recursive: true });
    }
  };
  const server = createServer(async (req, res) => {
    if (!req.url.startsWith('/manage/v1/catalog/apply')) {
      res.writeHead(404).end();
      return;
    }
    const answer = await apply(await text(req)).then(
      () => ({ changes: [], notes: [] }),
      (error) => ({ detail: String(error) }),
    );
    res.end(JSON.stringify(answer));
  });
  server.listen(Number(MANAGE_PORT), HOST);
}
