import { openCatalogClient, type ManageAt } from '../catalog.js';
import { manageUrlOf, tlsFilesOf } from '../environment.js';
import type { Fleet } from '../fleet.js';
import type { Instance } from '../services.js';
import { StartError } from '../start-error.js';
import { operatorKeyFileOf, operatorKeyOf, renewOperatorKey } from './secrets.js';

/** The management API of an instance, with the key of its operator. */
export function manageAtOf(instance: Instance): ManageAt {
  return {
    url: manageUrlOf(instance),
    key: operatorKeyOf(instance),
    tls: tlsFilesOf(instance, 'operator'),
  };
}

/**
 * The instance with a key that its running console-service accepts. A revoked key stays revoked. So a new one takes the place
 * of that in the data folder, and console-service is started again with it. Throws a {@link StartError} when the setting
 * `BOOTSTRAP_KEY` has the refused key.
 */
export async function withAcceptedKey(instance: Instance, fleet: Fleet): Promise<Instance> {
  if (!(await isKeyRefused(instance))) return instance;
  const file = operatorKeyFileOf(instance);
  if (file === null)
    throw new StartError(
      'The management API does not accept the key in BOOTSTRAP_KEY: it was revoked, or another key has its id. ' +
        'Set BOOTSTRAP_KEY to a new key, or leave it out, and start again.',
    );
  fleet.around.say.warn(
    `The key in ${file} is not accepted any more: it was revoked. A new one with the role admin takes its place.`,
  );
  const renewed = { ...instance, operatorKey: renewOperatorKey(instance.folder) };
  await fleet.startAnew(renewed, 'console-service');
  return renewed;
}

async function isKeyRefused(instance: Instance): Promise<boolean> {
  const client = openCatalogClient(manageAtOf(instance));
  try {
    return await client.isKeyRefused();
  } finally {
    client.close();
  }
}
