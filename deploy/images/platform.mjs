/**
 * Whether npm installs a package of the lock in an image: Linux with glibc, on the processor of this process. A package that
 * names no platform fits every one.
 * @param {{ os?: readonly string[], cpu?: readonly string[], libc?: readonly string[] }} locked
 */
export function isForImage({ os, cpu, libc }) {
  return fits(os, 'linux') && fits(cpu, process.arch) && fits(libc, 'glibc');
}

function fits(allowed, value) {
  return allowed === undefined || allowed.includes(value);
}
