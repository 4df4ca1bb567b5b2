import type { FieldProblem } from '../../kernel/errors.ts';

/** Red, green, blue and opacity, 0 to 255 each. */
export type Colour = readonly [number, number, number, number];

const WHITE: Colour = [255, 255, 255, 255];

/**
 * Least difference of reflectance between dark and light modules: grade C of "symbol contrast" in ISO/IEC 15415 begins
 * at 40 % of a perfect white. The relative luminance of WCAG 2 stands for reflectance.
 */
const MIN_CONTRAST = 0.4;

/** Reads 3, 6 or 8 hex digits, with or without `#`. */
export function parseColour(text: string): Colour {
  const digits = text.replace('#', '');
  const pairs = digits.length === 3 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? []);
  const [red = 0, green = 0, blue = 0, opacity = 255] = pairs.map((pair) => Number.parseInt(pair, 16));
  return [red, green, blue, opacity];
}

/** `#rrggbbaa`, lower-cased. */
export function hexOf(colour: Colour): string {
  return `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * Why scanners could not tell the colours apart. Transparent ones are judged on white paper. Light modules on a dark
 * ground are in ISO/IEC 18004 since 2006, but a good part of the readers still look for dark ones alone.
 */
export function contrastProblem(foreground: Colour, background: Colour): FieldProblem | null {
  const paper = over(background, WHITE);
  const light = reflectance(paper);
  const dark = reflectance(over(foreground, paper));
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

function over([red, green, blue, opacity]: Colour, below: Colour): Colour {
  const share = opacity / 255;
  const mix = (above: number, under: number) => above * share + under * (1 - share);
  return [mix(red, below[0]), mix(green, below[1]), mix(blue, below[2]), 255];
}

function reflectance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

/** Of sRGB, which bends brightness. */
function linear(value: number): number {
  const share = value / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
