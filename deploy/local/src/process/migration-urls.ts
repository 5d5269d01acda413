const NAME = 'PLACARD_MIGRATION_URLS';

/** The setting with a database URL for each script of `run-migrations`. */
export function databaseUrlsSetting(urls: readonly string[]): NodeJS.ProcessEnv {
  return { [NAME]: JSON.stringify(urls) };
}

/** Reads the setting and removes it, so that no script sees the URL of another. */
export function takeDatabaseUrls(env: NodeJS.ProcessEnv): readonly string[] {
  const urls = JSON.parse(env[NAME] ?? '[]') as readonly string[];
  Reflect.deleteProperty(env, NAME);
  return urls;
}
