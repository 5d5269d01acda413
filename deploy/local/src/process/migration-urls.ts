const NAME = 'PLACARD_MIGRATION_URLS';

/** The setting by which `run-migrations` gets a database URL for each of its scripts. */
export function databaseUrlsSetting(urls: readonly string[]): NodeJS.ProcessEnv {
  return { [NAME]: JSON.stringify(urls) };
}

/** Reads the setting and removes it, so that no script is given another's. */
export function takeDatabaseUrls(env: NodeJS.ProcessEnv): readonly string[] {
  const urls = JSON.parse(env[NAME] ?? '[]') as readonly string[];
  Reflect.deleteProperty(env, NAME);
  return urls;
}
