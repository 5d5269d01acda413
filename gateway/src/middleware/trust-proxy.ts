import express from 'express';
import type { Trust } from '../domain/address.js';

/**
 * Reads a value of Express's `trust proxy` setting: `loopback`, addresses and networks, `true`, `false` or a number of
 * hops. Throws with a sentence when it is none. Rulings: Rate limits ("client address").
 */
export function compileTrust(text: string): Trust {
  const app = express();
  app.set('trust proxy', trustValue(text.trim()));
  return app.get('trust proxy fn') as Trust;
}

function trustValue(text: string): boolean | number | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d{1,3}$/.test(text) ? Number(text) : text;
}
