/** The http(s) addresses of a text that has nothing else. */
export function pastedAddresses(text: string): string[] {
  const words = text.split(/\s+/).filter(Boolean);
  return words.every((word) => /^https?:\/\//i.test(word) && URL.canParse(word)) ? [...new Set(words)] : [];
}
