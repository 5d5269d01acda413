import type { ObjectName, ReportObjects } from '../store/report-objects.js';

/**
 * Says which objects the catalog never had; null: it had all. A list of such an object would look like that of one without
 * rows. Error `unavailable`.
 */
export async function unknownIn(
  objects: Pick<ReportObjects, 'namesOf'>,
  asked: readonly ObjectName[],
): Promise<string | null> {
  const known = await objects.namesOf(asked);
  const unknown = asked.filter(({ kind, id }) => !known.has(`${kind}/${id}`));
  if (unknown.length === 0) return null;
  return `the catalog never had ${unknown.map(({ kind, id }) => `${kind} ${id}`).join(', ')}.`;
}
