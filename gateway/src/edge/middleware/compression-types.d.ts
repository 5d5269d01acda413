/** The used part of the compression package, which has no types of its own. */
declare module 'compression' {
  import type { RequestHandler } from 'express';
  export default function compression(options?: { readonly threshold?: number }): RequestHandler;
}
