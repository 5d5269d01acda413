/**
 * Whether npm installs a package of the lock in an image: Linux with glibc, on the processor of this process. A package that
 * names no platform fits every one.
 */
export function isForImage(locked: {
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
}): boolean;
