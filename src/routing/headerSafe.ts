import { domainToASCII } from 'node:url';

/**
 * Everything but the visible ASCII characters that a URL carries as they are: controls, spaces, `"`, `<`, `>`, `#` and
 * what is not ASCII. Browsers encode the same before they send a query (WHATWG URL, query percent-encode set).
 */
const UNSAFE = /[^\x21\x24-\x3b\x3d\x3f-\x7e]+/g;
/** The same but for `#`, which may stand in a fragment. */
const UNSAFE_IN_FRAGMENT = /[^\x21\x23-\x3b\x3d\x3f-\x7e]+/g;
const AUTHORITY = /^(https?:\/\/(?:[^/?#\\@]*@)?)([^/?#\\:]*)/i;

/** A piece of a path or query that cannot end a header or begin a fragment; what is already encoded stays as it is. */
export function headerSafe(text: string): string {
  return text.replace(UNSAFE, percentEncode);
}

/** The same for a fragment with its leading `#`. */
export function headerSafeFragment(fragment: string): string {
  return fragment.replace(UNSAFE_IN_FRAGMENT, percentEncode);
}

/** A URL without its fragment, safe in a header; the host of a web address in Punycode. */
export function headerSafeUrl(url: string): string {
  const [whole = '', before = '', host = ''] = AUTHORITY.exec(url) ?? [];
  const ascii = host.search(UNSAFE) < 0 ? '' : domainToASCII(host);
  return headerSafe(ascii === '' ? url : before + ascii + url.slice(whole.length));
}

/** Every byte of the text; encodeURIComponent would throw at half a surrogate pair. */
export function percentEncode(text: string): string {
  let encoded = '';
  for (const byte of Buffer.from(text)) encoded += `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  return encoded;
}
