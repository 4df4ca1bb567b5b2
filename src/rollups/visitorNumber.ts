/**
 * Two halves of 64 bits that stand for a visitor's hash within its day. The hash has 128 random bits, so these are random
 * too: of ten million visitors of a day two are taken for one with a chance of 1 : 370,000.
 */
export function visitorHigh(visitor: string): number {
  return mix(visitor, 0x41c6ce57);
}

export function visitorLow(visitor: string): number {
  return mix(visitor, 0xdeadbeef);
}

function mix(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
