import { create, type QRCode, toString as toText } from 'qrcode';
import type { Principal } from '../access/principal.ts';
import { type FieldProblem, validationFailed } from '../kernel/errors.ts';
import { shortUrl } from '../kernel/origins.ts';
import { findLink } from './linkReferences.ts';
import { type Colour, qrPng } from './qrPng.ts';

/** How a QR code is drawn. `QR_DEFAULTS` applies to fields that are null or missing. */
export interface QrInput {
  format?: 'svg' | 'png' | null;
  /** Pixels of each side. */
  size?: number | null;
  /** Width of the quiet zone on each side, in modules. */
  margin?: number | null;
  /** Error correction: the share that may be covered or lost, from about 7 % (L) to 30 % (H). */
  level?: 'L' | 'M' | 'Q' | 'H' | null;
  /** 3, 6 or 8 hex digits. */
  foreground?: string | null;
  background?: string | null;
}

/** A file in an answer. */
export interface EncodedFile {
  mediaType: string;
  base64: string;
}

/** ISO/IEC 18004 requires a quiet zone of four modules. */
export const QR_DEFAULTS = {
  format: 'svg',
  size: 512,
  margin: 4,
  level: 'M',
  foreground: '#000000',
  background: '#ffffff',
} as const;

/**
 * The least difference in reflectance between dark and light modules: grade C of "symbol contrast" in ISO/IEC 15415 begins at
 * 40 % of a perfect white. Reflectance is estimated by the relative luminance of WCAG 2.
 */
const MIN_CONTRAST = 0.4;
const WHITE: Colour = [255, 255, 255, 255];

/** The QR code of a link's short URL. Throws `not_found`, and `validation_failed` for codes that scanners cannot read. */
export async function qrOfLink(principal: Principal, id: string, input: QrInput): Promise<EncodedFile> {
  const { link } = await findLink(principal, 'links:read', id);
  const url = shortUrl(link.domain, link.slug);
  const { format, level, ...drawing } = withDefaults(input);
  const code = create(url, { errorCorrectionLevel: level });
  refuseUnreadable(code, format, drawing);
  const { size, margin, foreground, background } = drawing;
  if (format === 'png') {
    const { modules } = code;
    return file('image/png', await qrPng(modules, size, margin, foreground, background));
  }
  const color = { dark: svgColour(foreground), light: svgColour(background) };
  const svg = await toText(url, { type: 'svg', width: size, margin, errorCorrectionLevel: level, color });
  return file('image/svg+xml', Buffer.from(svg));
}

type Drawing = { size: number; margin: number; foreground: Colour; background: Colour };

function withDefaults(
  input: QrInput,
): Drawing & Required<{ [Name in 'format' | 'level']: NonNullable<QrInput[Name]> }> {
  return {
    format: input.format ?? QR_DEFAULTS.format,
    level: input.level ?? QR_DEFAULTS.level,
    size: input.size ?? QR_DEFAULTS.size,
    margin: input.margin ?? QR_DEFAULTS.margin,
    foreground: parseColour(input.foreground ?? QR_DEFAULTS.foreground),
    background: parseColour(input.background ?? QR_DEFAULTS.background),
  };
}

function refuseUnreadable(
  { modules }: QRCode,
  format: string,
  { size, margin, foreground, background }: Drawing,
): void {
  const problems = [contrastProblem(foreground, background)].filter((problem) => problem !== null);
  const least = modules.size + 2 * margin;
  if (format === 'png' && size < least) {
    problems.push({ path: 'size', message: `Must be at least ${least}: one pixel for each module and its margin.` });
  }
  if (problems.length > 0) throw validationFailed(problems);
}

/** An opacity of 254 becomes 255: the qrcode package writes it as `.00`, because it cuts the 1 off `1.00`. */
function svgColour([red, green, blue, opacity]: Colour): string {
  return hexOf([red, green, blue, opacity === 254 ? 255 : opacity]);
}

function file(mediaType: string, bytes: Buffer): EncodedFile {
  return { mediaType, base64: bytes.toString('base64') };
}

/** Reads 3, 6 or 8 hex digits, with or without `#`. */
function parseColour(text: string): Colour {
  const digits = text.replace('#', '');
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0, opacity = 255] = pairs.map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue, opacity];
}

/** `#rrggbbaa`, lower-cased. */
function hexOf(colour: Colour): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Why scanners could not distinguish the colours; null when they can. Transparent colours are taken as printed on white.
 * ISO/IEC 18004 allows light modules on dark since 2006, but many readers still look for dark ones only.
 */
function contrastProblem(foreground: Colour, background: Colour): FieldProblem | null {
  const paper = blend(background, WHITE);
  const light = reflectance(paper);
  const dark = reflectance(blend(foreground, paper));
  if (dark > light) return problem('Must be darker than the background: many scanners do not read light on dark.');
  if (light - dark < MIN_CONTRAST) {
    const percent = Math.floor((light - dark) * 100);
    return problem(`Must be darker, or the background lighter: the contrast is ${percent} % and must be 40 % or more.`);
  }
  return null;
}

function problem(message: string): FieldProblem {
  return { path: 'foreground', message };
}

function blend([red, green, blue, opacity]: Colour, below: Colour): Colour {
  const share = opacity / 255;
  const mix = (above: number, under: number) => above * share + under * (1 - share);
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 255];
}

function reflectance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Linear light of an sRGB channel. */
function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
