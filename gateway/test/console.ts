import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fake console-service that records its requests. */
export interface TestConsole {
  readonly url: string;
  /** All requests that it could parse, the latest last. */
  readonly seen: readonly IncomingMessage[];
  close(): void;
}

/** Starts the fake. `answer` replaces the usual JSON of method, URL, size and hash of the body. */
export async function openTestConsole(answer: RequestListener = tellRequest): Promise<TestConsole> {
  const seen: IncomingMessage[] = [];
  const server = createServer((req, res) => {
    seen.push(req);
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Answers with the received request. */
export function tellRequest(req: IncomingMessage, res: ServerResponse): void {
  const hash = createHash('sha256');
  let size = 0;
  req.on('data', (chunk: Buffer) => {
    size += chunk.byteLength;
    hash.update(chunk);
  });
  req.on('end', () => {
    res.writeHead(req.url === '/creatives/none' ? 404 : 200, {
      'Content-Type': 'image/png',
      'Cache-Control': 'max-age=60',
      ...(req.url === '/creatives/last' ? { Connection: 'close' } : {}),
    });
    res.end(JSON.stringify({ method: req.method, url: req.url, size, sha256: hash.digest('hex') }));
  });
}
