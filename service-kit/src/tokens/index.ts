export { keepKeyRings } from './keep-key-rings.js';
export { keyRingSetting } from './key-ring-setting.js';
export { KeyRing, parseKeyRing, parseRing, readRingFile, writeRing } from './key-ring.js';
export { rotateRing } from './rotate-ring.js';
export { makeImpressionTokens, makeSessionTokens, type Tokens } from './tokens.js';
