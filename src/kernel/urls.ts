/** The longest URL of a redirect, in bytes as sent: each byte of a character outside ASCII is sent as three. */
export const MAX_URL_BYTES = 8192;

/**
 * Schemes that run code, read files, obscure their effect, or belong to a system or program that is not an app of a
 * project; `*` matches anything. No app may register them, and no link may use them.
 */
const REFUSED_SCHEMES = [
  // Browsers.
  'javascript vbscript data blob about content view-source filesystem resource jar chrome chrome-* edge opera brave microsoft-edge*',
  'moz-* safari-* feed wss ws webcal cid mid',
  // Files, networks and other machines.
  'file res mhtml smb cifs afp nfs dav davs ftp ftps sftp scp tftp gopher ssh git git-* svn svn-* telnet tn3270 rlogin',
  'rdp vnc ldap ldaps rtsp magnet',
  // Windows, and programs that execute their input.
  'ms-* search search-ms shell hcp help wscript powershell cmd jnlp jnlps vscode* cursor applescript x-man-page',
  // Phones: they open other apps, call, send messages or change settings.
  'intent android-* market itms* x-apple* prefs app-prefs app-settings shortcuts tel telprompt callto sip sips sms smsto',
  'mms mmsto mailto facetime facetime-*',
].flatMap((line) => line.split(' '));

/** A regular expression that matches all of these schemes in lower case. */
export const REFUSED_SCHEME = `(?:${REFUSED_SCHEMES.map((name) => name.replace('*', '[a-z0-9+.-]*')).join('|')})`;
const REFUSED = new RegExp(`^${REFUSED_SCHEME}$`);
const REFUSED_URL = new RegExp(`^${REFUSED_SCHEME}:`, 'i');

/** Whether a scheme, in lower case and without its colon, is refused. */
export function isRefusedScheme(scheme: string): boolean {
  return REFUSED.test(scheme);
}

/** Whether a stored URL has a scheme that has been refused since. */
export function hasRefusedScheme(url: string): boolean {
  return REFUSED_URL.test(url);
}

/** What is wrong with the form of a destination (http, https, or the scheme of an app); null if nothing. Needs no DNS. */
export function destinationProblem(value: string): string | null {
  const url = parse(value);
  if (typeof url === 'string') return url;
  const scheme = url.protocol.slice(0, -1);
  if (isRefusedScheme(scheme)) return `The scheme ${scheme}: is not allowed.`;
  if (!['http', 'https'].includes(scheme) && !/^[a-z][a-z0-9+.-]{2,}$/.test(scheme))
    return `The scheme ${scheme}: is not allowed.`;
  return credentialsProblem(url);
}

/** The same for an http or https URL. */
export function webUrlProblem(value: string): string | null {
  const url = parse(value);
  if (typeof url === 'string') return url;
  if (!['http:', 'https:'].includes(url.protocol)) return 'Must be an http or https URL.';
  return credentialsProblem(url);
}

function parse(value: string): URL | string {
  if (sentBytes(value) > MAX_URL_BYTES)
    return `Must have at most ${MAX_URL_BYTES} bytes as sent, where each character outside ASCII takes six to twelve.`;
  // URL parsers drop tabs and line breaks silently, so the checked URL would differ from the one that is sent.
  if (/[\p{Cc}\p{Zs}]/u.test(value)) return 'Must not contain spaces, tabs, line breaks or control characters.';
  // Not URL.canParse: once it is hot, Node 22 misreads names with letters such as ü, and refuses them.
  const url = URL.parse(value);
  if (url === null) return 'Must be an absolute URL such as https://example.com/page.';
  const isWeb = /^https?:$/.test(url.protocol);
  if (isWeb && !/^https?:\/\//i.test(value)) return 'Must be an absolute URL such as https://example.com/page.';
  return url;
}

/** Characters that are percent-encoded in a header; see `headerSafe`. */
const NOT_SENT_AS_IS = /[^\x21\x23-\x3b\x3d\x3f-\x7e]+/g;

/** The length of a URL in a `Location` header, in bytes. */
export function sentBytes(url: string): number {
  let bytes = url.length;
  for (const [encoded] of url.matchAll(NOT_SENT_AS_IS)) bytes += 3 * Buffer.byteLength(encoded) - encoded.length;
  return bytes;
}

function credentialsProblem(url: URL): string | null {
  return url.username || url.password ? 'Must not contain a user name or password.' : null;
}
