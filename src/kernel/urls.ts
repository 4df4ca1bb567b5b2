/** Longest URL a visitor can be sent to. */
export const MAX_URL_LENGTH = 8192;

/** Schemes that run code, read files or hide what they do; no app may register them either. */
export const REFUSED_SCHEMES: ReadonlySet<string> = new Set([
  'javascript',
  'data',
  'intent',
  'file',
  'blob',
  'vbscript',
  'about',
  'content',
]);

/** What is wrong with the form of a destination (http(s), or an app's scheme), or null. Needs no DNS. */
export function destinationProblem(value: string): string | null {
  const url = parse(value);
  if (typeof url === 'string') return url;
  const scheme = url.protocol.slice(0, -1);
  if (REFUSED_SCHEMES.has(scheme)) return `The scheme ${scheme}: is not allowed.`;
  if (!['http', 'https'].includes(scheme) && !/^[a-z][a-z0-9+.-]{2,}$/.test(scheme))
    return `The scheme ${scheme}: is not allowed.`;
  return credentialsProblem(url);
}

/** The same for what must be an http(s) URL. */
export function webUrlProblem(value: string): string | null {
  const url = parse(value);
  if (typeof url === 'string') return url;
  if (!['http:', 'https:'].includes(url.protocol)) return 'Must be an http or https URL.';
  return credentialsProblem(url);
}

function parse(value: string): URL | string {
  if (value.length > MAX_URL_LENGTH) return `Must have at most ${MAX_URL_LENGTH} characters.`;
  // URL parsers drop tabs and line breaks silently: what is checked would not be what is sent.
  if (/[\p{Cc}\p{Zs}]/u.test(value)) return 'Must not contain spaces, tabs, line breaks or control characters.';
  if (!URL.canParse(value)) return 'Must be an absolute URL such as https://example.com/page.';
  const url = new URL(value);
  const isWeb = /^https?:$/.test(url.protocol);
  if (isWeb && !/^https?:\/\//i.test(value)) return 'Must be an absolute URL such as https://example.com/page.';
  return url;
}

function credentialsProblem(url: URL): string | null {
  return url.username || url.password ? 'Must not contain a user name or password.' : null;
}
