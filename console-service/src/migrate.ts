import { fileURLToPath } from 'node:url';
import { runMigrations } from '@placard/service-kit/migrate';

await runMigrations({
  name: 'console-service-migration',
  schema: 'catalog',
  dir: fileURLToPath(new URL('../migrations', import.meta.url)),
});
