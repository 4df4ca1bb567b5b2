import { create, type QRCode, toString as toText } from 'qrcode';
import type { Principal } from '../../access/principal.ts';
import { validationFailed } from '../../kernel/errors.ts';
import { shortUrl } from '../../kernel/origins.ts';
import { findLink } from './findLink.ts';
import { type Colour, contrastProblem, hexOf, parseColour } from './qrColours.ts';
import { qrPng } from './qrPng.ts';

/** How a QR code is drawn; what is null or missing is as in `DEFAULTS`. */
export interface QrInput {
  format?: 'svg' | 'png' | null;
  /** Pixels of each side. */
  size?: number | null;
  /** Modules of quiet zone on each side. */
  margin?: number | null;
  /** Error correction: how much may be covered or lost, from about 7 % (L) to 30 % (H). */
  level?: 'L' | 'M' | 'Q' | 'H' | null;
  /** 3, 6 or 8 hex digits. */
  foreground?: string | null;
  background?: string | null;
}

/** A file as an answer carries it. */
export interface File {
  mediaType: string;
  base64: string;
}

/** Four modules are the quiet zone that ISO/IEC 18004 asks for. */
export const DEFAULTS = {
  format: 'svg',
  size: 512,
  margin: 4,
  level: 'M',
  foreground: '#000000',
  background: '#ffffff',
} as const;

/** The QR code of a link's short URL. Throws `not_found`, and `validation_failed` for what no scanner would read. */
export async function qrOfLink(principal: Principal, id: string, input: QrInput): Promise<File> {
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
    format: input.format ?? DEFAULTS.format,
    level: input.level ?? DEFAULTS.level,
    size: input.size ?? DEFAULTS.size,
    margin: input.margin ?? DEFAULTS.margin,
    foreground: parseColour(input.foreground ?? DEFAULTS.foreground),
    background: parseColour(input.background ?? DEFAULTS.background),
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

/** The package writes an opacity of 254 as `.00`, because it cuts the 1 off `1.00`. */
function svgColour([red, green, blue, opacity]: Colour): string {
  return hexOf([red, green, blue, opacity === 254 ? 255 : opacity]);
}

function file(mediaType: string, bytes: Buffer): File {
  return { mediaType, base64: bytes.toString('base64') };
}
