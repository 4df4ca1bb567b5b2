/** The pictures that browsers show without running anything: no SVG, which is a document. */
export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

/** Cards have about 1.2 million pixels. A picture of a few bytes can have billions, which take the memory of a browser. */
const MAX_PIXELS = 25_000_000;

/** The type of a picture by its bytes, whatever its sender says; null for all else, and for pictures with too many pixels. */
export function pictureType(bytes: Buffer): PictureType | null {
  for (const { type, hasType, sizeOf } of KINDS) {
    if (!hasType(bytes)) continue;
    const size = sizeOf(bytes);
    return size && size[0] > 0 && size[1] > 0 && size[0] * size[1] <= MAX_PIXELS ? type : null;
  }
  return null;
}

type Size = [width: number, height: number];

interface Kind {
  type: PictureType;
  hasType: (bytes: Buffer) => boolean;
  sizeOf: (bytes: Buffer) => Size | null;
}

const KINDS: readonly Kind[] = [
  {
    type: 'image/png',
    hasType: (bytes) =>
      bytes.length >= 24 && bytes.readUInt32BE(0) === 0x89504e47 && bytes.readUInt32BE(4) === 0x0d0a1a0a,
    sizeOf: (bytes) => [bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
  },
  {
    type: 'image/gif',
    hasType: (bytes) => bytes.length >= 10 && /^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6)),
    sizeOf: (bytes) => [bytes.readUInt16LE(6), bytes.readUInt16LE(8)],
  },
  {
    type: 'image/webp',
    hasType: (bytes) =>
      bytes.length >= 30 && bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
    sizeOf: webpSize,
  },
  {
    type: 'image/jpeg',
    hasType: (bytes) => bytes.length >= 4 && bytes.readUIntBE(0, 3) === 0xffd8ff,
    sizeOf: jpegSize,
  },
];

/** RFC 9649, sections 2.5 to 2.7. */
function webpSize(bytes: Buffer): Size | null {
  const chunk = bytes.toString('latin1', 12, 16);
  if (chunk === 'VP8X') return [1 + bytes.readUIntLE(24, 3), 1 + bytes.readUIntLE(27, 3)];
  if (chunk === 'VP8 ') return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (chunk !== 'VP8L') return null;
  const bits = bytes.readUInt32LE(21);
  return [1 + (bits & 0x3fff), 1 + ((bits >>> 14) & 0x3fff)];
}

/** In the segment that starts a frame (ITU-T T.81, B.2.2). */
function jpegSize(bytes: Buffer): Size | null {
  let at = 2;
  while (at + 9 <= bytes.length) {
    if (bytes[at] !== 0xff) return null;
    const marker = bytes[at + 1] as number;
    // Bytes that fill up, and markers that stand alone.
    if (marker === 0xff) at += 1;
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return [bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5)];
    } else at += 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}
