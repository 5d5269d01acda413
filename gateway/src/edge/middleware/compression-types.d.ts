/** The part of the compression package that is used; it brings no types of its own. */
declare module 'compression' {
  import type { RequestHandler } from 'express';
  export default function compression(options?: { readonly threshold?: number }): RequestHandler;
}
