// A stand-in for console-service. It accepts any catalog without the word `faulty`, and its BOOTSTRAP_KEY unless that is
// FAKE_REVOKED.
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const APP =
  'publishers: [{ approved: true, apps: [{ approved: true, app_key: app_fake, package_name: com.fake }] }]';

for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const)
  process.on(signal, () => {
    note({ left: 'console-service' });
    process.exit(0);
  });

/** Records an event for a test. */
function note(what: object): void {
  const file = process.env['FAKE_NOTES'] ?? '';
  if (file !== '') appendFileSync(file, `${JSON.stringify(what)}\n`);
}

/** Whether an `Authorization` header has a valid key. */
function isKnown(authorization: string | undefined): boolean {
  const { BOOTSTRAP_KEY: key = '', FAKE_REVOKED: revoked } = process.env;
  return key !== revoked && authorization === `Bearer ${key}`;
}

function answer(path: string, text: string): { readonly status: number; readonly body: string } {
  const url = new URL(path, 'http://fake');
  if (url.pathname.endsWith('/export')) return { status: 200, body: APP };
  if (!url.pathname.endsWith('/apply')) return { status: 404, body: '{}' };
  note({ applied: text, onlyIfEmpty: url.searchParams.get('only_if_empty') === 'true' });
  const errors = [
    { field: 'apps[0].name', detail: 'is missing' },
    { field: 'apps[1].id', detail: 'is twice' },
  ];
  if (text.includes('faulty')) return { status: 422, body: JSON.stringify({ detail: 'Refused.', errors }) };
  return { status: 200, body: JSON.stringify({ changes: [], notes: [], version: 1 }) };
}

const manage = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const { status, body } = isKnown(request.headers.authorization)
      ? answer(request.url ?? '', Buffer.concat(chunks).toString())
      : { status: 401, body: '{}' };
    response.writeHead(status).end(body);
  });
});
manage.listen(Number(process.env['MANAGE_PORT']), '127.0.0.1', () => {
  createServer((_, response) => response.end('ok')).listen(Number(process.env['METRICS_PORT']), '127.0.0.1');
});
