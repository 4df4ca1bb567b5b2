import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';

const deflated = promisify(deflate);

/** Red, green, blue and opacity, 0 to 255 each. */
export type Colour = readonly [number, number, number, number];

/** Dark (truthy) and light modules, row by row. */
export interface Matrix {
  size: number;
  data: Uint8Array;
}

/**
 * A PNG of exactly `size` × `size` pixels with one bit for each. It is encoded here because the qrcode package goes through
 * four bytes a pixel: at 2,048 pixels it blocked the process, redirects included, for 360 ms, and one size in twenty came
 * out a pixel short. Modules are whole pixels, which keeps their edges sharp; left-over pixels widen the margin. The caller
 * ensures that a module has at least one pixel.
 */
export async function qrPng(matrix: Matrix, size: number, margin: number, dark: Colour, light: Colour) {
  const scale = Math.floor(size / (matrix.size + 2 * margin));
  const data = await deflated(scanLines(matrix, size, scale));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header(size)),
    chunk('PLTE', Buffer.from([...light.slice(0, 3), ...dark.slice(0, 3)])),
    chunk('tRNS', Buffer.from([light[3], dark[3]])),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** One bit a pixel with a palette; standard compression and filters, no interlacing. */
function header(size: number): Buffer {
  const bytes = Buffer.alloc(13);
  bytes.writeUInt32BE(size, 0);
  bytes.writeUInt32BE(size, 4);
  bytes.set([1, 3, 0, 0, 0], 8);
  return bytes;
}

/** Each line begins with its filter type: 0, none. */
function scanLines({ size: modules, data }: Matrix, size: number, scale: number): Buffer {
  const lineBytes = 1 + Math.ceil(size / 8);
  const lines = Buffer.alloc(lineBytes * size);
  const offset = Math.floor((size - modules * scale) / 2);
  for (let row = 0; row < modules; row += 1) {
    const line = Buffer.alloc(lineBytes);
    for (let at = 0; at < modules * scale; at += 1) {
      const x = offset + at;
      if (data[row * modules + Math.floor(at / scale)])
        line[1 + (x >> 3)] = (line[1 + (x >> 3)] ?? 0) | (0x80 >> (x & 7));
    }
    for (let copy = 0; copy < scale; copy += 1) lines.set(line, (offset + row * scale + copy) * lineBytes);
  }
  return lines;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const check = Buffer.alloc(4);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
