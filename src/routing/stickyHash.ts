const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a of the UTF-16 code units of `text`, as an unsigned 32-bit number; `state` continues an earlier hash. */
export function fnv1a(text: string, state: number = OFFSET_BASIS): number {
  let hash = state;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), PRIME);
  return hash >>> 0;
}

/**
 * Maps a hash evenly to 0 (inclusive) to 1 (exclusive), with the finalizer of MurmurHash3. With FNV alone, the high bits
 * of similar texts are similar, which would put neighbouring addresses on the same side of a split.
 */
export function toUnitInterval(hash: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, 0x85ebca6b);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0xc2b2ae35);
  mixed ^= mixed >>> 16;
  return (mixed >>> 0) / 0x1_0000_0000;
}
