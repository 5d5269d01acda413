/** The header by which the `placard` command names the operating-system user that ran it. */
export const SYSTEM_USER_HEADER = 'Placard-System-User';

const CHARS_MAX = 64;
/** Plain ASCII, so that the name cannot look like another part of an actor. */
const NAME = new RegExp(`^[A-Za-z0-9._@\\\\-]{1,${CHARS_MAX}}$`);

/** Writes the name of a system user for the header: other characters become `_`, and a long name is cut. */
export function systemUserText(name: string): string {
  return name.replace(/[^A-Za-z0-9._@\\-]/gu, '_').slice(0, CHARS_MAX);
}

/** Reads the header. Null: it is missing, or is no such name. Anyone can write it, so it decides nothing. */
export function readSystemUser(given: string | undefined): string | null {
  return given !== undefined && NAME.test(given) ? given : null;
}
