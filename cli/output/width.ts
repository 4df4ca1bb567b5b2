const GRAPHEMES = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
/** What terminals show two columns wide: East Asian wide and full-width letters, and emoji. */
const WIDE =
  /\p{Emoji_Presentation}|\uFE0F|[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{20000}-\u{3FFFD}]/u;
const PLAIN = /^[\x20-\x7e]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** How many columns of a terminal the text takes. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  let width = 0;
  for (const { segment } of GRAPHEMES.segment(text)) width += WIDE.test(segment) ? 2 : 1;
  return width;
}

/** The text in at most this many columns; what is cut ends in an ellipsis. */
export function fit(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let cut = '';
  let used = 0;
  for (const { segment } of GRAPHEMES.segment(text)) {
    used += WIDE.test(segment) ? 2 : 1;
    if (used > width - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}

/** The text with spaces behind it, or in front of numbers. */
export function pad(text: string, width: number, isRight = false): string {
  const spaces = ' '.repeat(Math.max(0, width - widthOf(text)));
  return isRight ? spaces + text : text + spaces;
}

/** One line without control characters: what strangers wrote must not steer the terminal. */
export function oneLine(text: string): string {
  return text.replace(CONTROLS, ' ').trim();
}
