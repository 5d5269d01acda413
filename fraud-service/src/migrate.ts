import { fileURLToPath } from 'node:url';
import { runMigrations } from '@placard/service-kit/migrate';

await runMigrations({
  name: 'fraud-service-migration',
  schema: 'fraud',
  dir: fileURLToPath(new URL('../migrations', import.meta.url)),
});
