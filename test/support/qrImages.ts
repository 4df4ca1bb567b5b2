import { crc32, inflateSync } from 'node:zlib';
import { create, type QRCodeErrorCorrectionLevel } from 'qrcode';

/** Rows of modules or pixels; true is dark. */
export type Bits = boolean[][];

/** The modules that a text has as a QR code. */
export function modulesOf(text: string, errorCorrectionLevel: QRCodeErrorCorrectionLevel): Bits {
  const { size, data } = create(text, { errorCorrectionLevel }).modules;
  return Array.from({ length: size }, (_, row) => [...data.slice(row * size, (row + 1) * size)].map(Boolean));
}

/** The modules that an image shows: what lies between the first and the last dark pixel, looked at in their middles. */
export function modulesIn(pixels: Bits, modules: number): { bits: Bits; margin: number } {
  const margin = Math.min(
    pixels.findIndex((row) => row.includes(true)),
    pixels[0]?.length ?? 0,
  );
  const scale = (pixels.findLastIndex((row) => row.includes(true)) - margin + 1) / modules;
  const middle = (at: number) => Math.floor(margin + (at + 0.5) * scale);
  const every = Array.from({ length: modules }, (_, at) => middle(at));
  return { bits: every.map((y) => every.map((x) => pixels[y]?.[x] ?? false)), margin };
}

/** Reads a PNG with a palette of two and no filters. Throws for every other, and where a checksum is wrong. */
export function readPng(bytes: Buffer): { pixels: Bits; light: number[]; dark: number[] } {
  if (bytes.toString('latin1', 0, 8) !== '\x89PNG\r\n\x1a\n') throw new Error('no PNG');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) throw new Error('wrong checksum');
    chunks.set(bytes.toString('latin1', at + 4, at + 8), bytes.subarray(at + 8, end));
  }
  const part = (name: string) => chunks.get(name) ?? Buffer.alloc(0);
  const [width, height] = [part('IHDR').readUInt32BE(0), part('IHDR').readUInt32BE(4)];
  if (part('IHDR').toString('hex', 8) !== '0103000000') throw new Error('not one bit with a palette');
  const lines = inflateSync(part('IDAT'));
  const lineBytes = lines.length / height;
  const isDark = (x: number, y: number) => (((lines[y * lineBytes + 1 + (x >> 3)] ?? 0) >> (7 - (x & 7))) & 1) === 1;
  const pixels = Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => isDark(x, y)));
  const colour = (at: number) => [...part('PLTE').subarray(at * 3, at * 3 + 3), part('tRNS')[at] ?? 255];
  return { pixels, light: colour(0), dark: colour(1) };
}

/** Reads the lines of an SVG whose modules are strokes of one unit. */
export function readSvg(svg: string): { bits: Bits; units: number } {
  const units = Number(/viewBox="0 0 (\d+) \1"/.exec(svg)?.[1]);
  const bits = Array.from({ length: units }, () => Array.from({ length: units }, () => false));
  const strokes = /stroke="[^"]*"[^>]* d="([^"]*)"/.exec(svg)?.[1] ?? '';
  let [x, y] = [0, 0];
  for (const [, command, first = '0', second = '0'] of strokes.matchAll(/([Mmh])([\d.-]+)(?: ([\d.-]+))?/g)) {
    if (command === 'M') [x, y] = [Number(first), Math.floor(Number(second))];
    if (command === 'm') x += Number(first);
    if (command !== 'h') continue;
    bits[y]?.fill(true, x, x + Number(first));
    x += Number(first);
  }
  return { bits, units };
}
