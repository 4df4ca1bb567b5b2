/** Longest URL a visitor can be sent to, in bytes as they are sent: what is not ASCII takes three for each of its own. */
export const MAX_URL_BYTES = 8192;

/**
 * Schemes that run code, read files, hide what they do, or belong to a system or a program that is no app of a project;
 * `*` stands for anything. No app may register them, and no link leads there.
 */
const REFUSED_SCHEMES = [
  // Of browsers.
  'javascript vbscript data blob about content view-source filesystem resource jar chrome chrome-* edge opera brave microsoft-edge*',
  'moz-* safari-* feed wss ws webcal cid mid',
  // Of files, networks and other machines.
  'file res mhtml smb cifs afp nfs dav davs ftp ftps sftp scp tftp gopher ssh git git-* svn svn-* telnet tn3270 rlogin',
  'rdp vnc ldap ldaps rtsp magnet',
  // Of Windows, and of programs that run what they are given.
  'ms-* search search-ms shell hcp help wscript powershell cmd jnlp jnlps vscode* cursor applescript x-man-page',
  // Of phones: they open other apps, call, write or change settings.
  'intent android-* market itms* x-apple* prefs app-prefs app-settings shortcuts tel telprompt callto sip sips sms smsto',
  'mms mmsto mailto facetime facetime-*',
].flatMap((line) => line.split(' '));

/** A regular expression for all of them, in lower case. */
export const REFUSED_SCHEME = `(?:${REFUSED_SCHEMES.map((name) => name.replace('*', '[a-z0-9+.-]*')).join('|')})`;
const REFUSED = new RegExp(`^${REFUSED_SCHEME}$`);
const REFUSED_URL = new RegExp(`^${REFUSED_SCHEME}:`, 'i');

/** Whether apps may not have that scheme, in lower case and without its colon. */
export function isRefusedScheme(scheme: string): boolean {
  return REFUSED.test(scheme);
}

/** Whether a stored URL has a scheme that is refused by now. */
export function hasRefusedScheme(url: string): boolean {
  return REFUSED_URL.test(url);
}

/** What is wrong with the form of a destination (http(s), or an app's scheme), or null. Needs no DNS. */
export function destinationProblem(value: string): string | null {
  const url = parse(value);
  if (typeof url === 'string') return url;
  const scheme = url.protocol.slice(0, -1);
  if (isRefusedScheme(scheme)) return `The scheme ${scheme}: is not allowed.`;
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
  if (sentBytes(value) > MAX_URL_BYTES)
    return `Must have at most ${MAX_URL_BYTES} bytes as it is sent, where each letter beyond ASCII takes six to twelve.`;
  // URL parsers drop tabs and line breaks silently: what is checked would not be what is sent.
  if (/[\p{Cc}\p{Zs}]/u.test(value)) return 'Must not contain spaces, tabs, line breaks or control characters.';
  if (!URL.canParse(value)) return 'Must be an absolute URL such as https://example.com/page.';
  const url = new URL(value);
  const isWeb = /^https?:$/.test(url.protocol);
  if (isWeb && !/^https?:\/\//i.test(value)) return 'Must be an absolute URL such as https://example.com/page.';
  return url;
}

/** Of what is sent as it is: see `headerSafe`. */
const NOT_SENT_AS_IS = /[^\x21\x23-\x3b\x3d\x3f-\x7e]+/g;

/** How long a URL is in a `Location`. */
export function sentBytes(url: string): number {
  let bytes = url.length;
  for (const [encoded] of url.matchAll(NOT_SENT_AS_IS)) bytes += 3 * Buffer.byteLength(encoded) - encoded.length;
  return bytes;
}

function credentialsProblem(url: URL): string | null {
  return url.username || url.password ? 'Must not contain a user name or password.' : null;
}
