/**
 * The first `max` characters. A cut text is copied: a slice would keep the whole header alive for as long as a cache
 * keeps the slice.
 */
export function boundedText(text: string, max: number): string {
  return text.length <= max ? text : Buffer.from(text.slice(0, max)).toString();
}
