import { fileURLToPath } from 'node:url';
import { runMigrations } from '@placard/service-kit/migrate';

await runMigrations({
  name: 'events-service-migration',
  schema: 'events',
  dir: fileURLToPath(new URL('../migrations', import.meta.url)),
});
