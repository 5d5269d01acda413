import { CATALOG_FILE_BYTES_MAX } from '@placard/service-kit/pure';

const OTHER_FIELDS_BYTES_MAX = 64 * 1024;

/** Most bytes of a message between the command and console-service: the largest catalog file and the other fields. */
export const CATALOG_MESSAGE_BYTES_MAX = CATALOG_FILE_BYTES_MAX + OTHER_FIELDS_BYTES_MAX;
