import { fileURLToPath } from 'node:url';
import { runMigrations } from '@placard/service-kit';

await runMigrations({ schema: 'catalog', dir: fileURLToPath(new URL('../migrations', import.meta.url)) });
