import { toDataURL, toString as toText } from 'qrcode';

export interface QrDesign {
  foreground: string;
  background: string;
  level: 'L' | 'M' | 'Q' | 'H';
  /** Of the quiet zone, in modules. */
  margin: number;
  /** Pixels of a side of the PNG. */
  size: number;
}

/** ISO/IEC 18004 asks for a quiet zone of four modules; the rest is what the API draws by default. */
export const PLAIN_DESIGN: QrDesign = {
  foreground: '#000000',
  background: '#ffffff',
  level: 'M',
  margin: 4,
  size: 512,
};

/** As the API has it: grade C of “symbol contrast” in ISO/IEC 15415 begins at 40 %. */
const MIN_CONTRAST = 0.4;

/** Whether scanners can tell the two colours apart, dark on light. */
export function isReadable({ foreground, background }: QrDesign): boolean {
  return luminance(background) - luminance(foreground) >= MIN_CONTRAST;
}

export function drawSvg(text: string, design: QrDesign): Promise<string> {
  return toText(text, { type: 'svg', ...optionsOf(design) });
}

export function drawPng(text: string, design: QrDesign): Promise<string> {
  return toDataURL(text, { type: 'image/png', ...optionsOf(design) });
}

function optionsOf({ foreground, background, level, margin, size }: QrDesign) {
  return { errorCorrectionLevel: level, margin, width: size, color: { dark: foreground, light: background } };
}

/** Relative luminance of WCAG 2, of `#rrggbb`. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
