import { fileURLToPath } from 'node:url';
import { runMigrations } from '@placard/service-kit/migrate';

await runMigrations({ schema: 'events', dir: fileURLToPath(new URL('../migrations', import.meta.url)) });
