// stores: none
import { expect } from 'chai';
import { STYLE } from '../../../src/redirect/pages/style.ts';

type Colours = Record<string, string>;

/** The custom properties of each `:root`: of light, and of dark, which keeps what it does not say. */
function schemes(): Record<'light' | 'dark', Colours> {
  const [light = {}, dark = {}] = [...STYLE.markup.matchAll(/:root\{(.*?)\}/g)].map(([, declarations = '']) =>
    Object.fromEntries([...declarations.matchAll(/--([\w-]+):(#\w+)/g)].map(([, name, colour]) => [name, colour])),
  ) as Colours[];
  return { light, dark: { ...light, ...dark } };
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(colour: string): number {
  const digits = colour.length === 4 ? colour.replace(/\w/g, '$&$&') : colour;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(digits.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

/** What stands on what, and the least contrast that WCAG 2 AA asks of it: 4.5 for text, 3 for edges of controls. */
const PAIRS: [front: string, ground: string, least: number][] = [
  ['text', 'card', 4.5],
  ['text', 'ground', 4.5],
  ['soft', 'card', 4.5],
  ['accent', 'card', 4.5],
  ['accent', 'ground', 4.5],
  ['on-accent', 'accent', 4.5],
  ['alarm', 'alarm-ground', 4.5],
  ['alarm', 'card', 3],
  ['line', 'card', 3],
];

describe('contrast of pages', () => {
  for (const [scheme, colours] of Object.entries(schemes())) {
    for (const [front, ground, least] of PAIRS) {
      it(`${scheme}: ${front} on ${ground} at least ${least}`, () => {
        expect(contrast(colours[front] ?? '', colours[ground] ?? '')).to.be.at.least(least);
      });
    }
  }
});
