/** What a web page says about itself. Texts are plain: entities are decoded, and no markup is left. */
export interface PageFacts {
  title: string | null;
  description: string | null;
  siteName: string | null;
  /** The absolute http or https URL of the picture for cards. */
  imageUrl: string | null;
}

/** The limits of a link's own title and description, so that what a page says can be used for the link as it is. */
const MAX_TITLE = 300;
const MAX_DESCRIPTION = 1000;
const MAX_URL = 8192;

/** Reads the head of a page in one pass, whose time grows with the length of the page whatever is in it. */
export function readPage(html: string, url: string): PageFacts {
  const head = readHead(html);
  const first = (...names: string[]) => names.map((name) => head.metas.get(name)).find(Boolean) ?? null;
  return {
    title: cut(first('og:title', 'twitter:title') ?? head.title, MAX_TITLE),
    description: cut(first('og:description', 'twitter:description', 'description'), MAX_DESCRIPTION),
    siteName: cut(first('og:site_name', 'application-name'), MAX_TITLE),
    imageUrl: webUrl(
      first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image', 'twitter:image:src'),
      url,
    ),
  };
}

interface Head {
  title: string | null;
  /** Contents by name or property, the first of each. */
  metas: Map<string, string>;
}

/** Elements whose text is not HTML, and inline pictures, which have titles of their own. */
const SKIPPED = new Set(['script', 'style', 'noscript', 'template', 'svg']);
const NAME = /[a-z][a-z0-9-]*/iy;

function readHead(html: string): Head {
  const head: Head = { title: null, metas: new Map() };
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at)) {
    if (html.startsWith('<!--', at)) {
      const end = html.indexOf('-->', at + 4);
      if (end < 0) break;
      at = end + 3;
      continue;
    }
    if (/^<\/head[\s>]/i.test(html.slice(at, at + 8))) break;
    NAME.lastIndex = at + 1;
    const name = NAME.exec(html)?.[0].toLowerCase();
    if (name === undefined) {
      at += 1;
      continue;
    }
    if (name === 'body') break;
    const tag = readAttributes(html, at + 1 + name.length);
    at = tag.end;
    if (name === 'meta') keepMeta(head, tag.attributes);
    if (name !== 'title' && !SKIPPED.has(name)) continue;
    const end = endOf(html, name, at);
    if (name === 'title') head.title ??= plain(html.slice(at, end)) || null;
    at = end;
  }
  return head;
}

function keepMeta({ metas }: Head, attributes: Map<string, string>): void {
  const name = (attributes.get('property') ?? attributes.get('name'))?.trim().toLowerCase();
  const content = plain(attributes.get('content') ?? '');
  if (name && content && !metas.has(name)) metas.set(name, content);
}

/** Where the closing tag of an element begins; without one, the end of the page. */
function endOf(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s/>]`, 'gi');
  closing.lastIndex = from;
  return closing.exec(html)?.index ?? html.length;
}

const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'=<>`]+)))?/y;

/** The attributes of a tag, and where the tag ends. */
function readAttributes(html: string, from: number): { attributes: Map<string, string>; end: number } {
  const attributes = new Map<string, string>();
  let at = from;
  while (at < html.length && html[at] !== '>') {
    ATTRIBUTE.lastIndex = at;
    const found = ATTRIBUTE.exec(html);
    if (!found) {
      at += 1;
      continue;
    }
    const name = (found[1] ?? '').toLowerCase();
    if (!attributes.has(name)) attributes.set(name, found[2] ?? found[3] ?? found[4] ?? '');
    at = ATTRIBUTE.lastIndex;
  }
  return { attributes, end: at + 1 };
}

/** Control characters, and those that turn the direction of all text that follows. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this looks for control characters
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function plain(text: string): string {
  return decodeEntities(text).toWellFormed().replace(CONTROLS, ' ').replace(/\s+/g, ' ').trim();
}

/** The named entities of ISO 8859-1 in the order of their code points, from 160 on. */
const LATIN_1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const ENTITIES = new Map([
  ...LATIN_1.split(' ').map((name, index) => [name, String.fromCodePoint(160 + index)] as const),
  ...Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", ndash: '–', mdash: '—', hellip: '…' }),
  ...Object.entries({ lsquo: '‘', rsquo: '’', sbquo: '‚', ldquo: '“', rdquo: '”', bdquo: '„', bull: '•' }),
  ...Object.entries({
    lsaquo: '‹',
    rsaquo: '›',
    trade: '™',
    euro: '€',
    OElig: 'Œ',
    oelig: 'œ',
    Scaron: 'Š',
    scaron: 'š',
  }),
]);
const MAX_CODE_POINT = 0x10ffff;

/** Decodes numeric entities, and the named ones that titles have; others stay as they are written. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,7}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES.get(name) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
    return code === 0 || code > MAX_CODE_POINT ? '\ufffd' : String.fromCodePoint(code);
  });
}

function cut(text: string | null, length: number): string | null {
  if (text === null || text.length <= length) return text;
  return `${text
    .slice(0, length - 1)
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}

function webUrl(text: string | null, base: string): string | null {
  const url = text === null ? null : URL.parse(text, base);
  return url && /^https?:$/.test(url.protocol) && url.href.length <= MAX_URL ? url.href : null;
}

/** How far a page must say in which charset it is (HTML, “determining the character encoding”). */
const PRESCANNED_BYTES = 1024;

/** The text of a page: by its byte order mark, else the charset of its header, else that of its own tag, else UTF-8. */
export function decodePage(bytes: Buffer, contentType: string | undefined): string {
  const start = bytes.subarray(0, PRESCANNED_BYTES).toString('latin1');
  const declared =
    /charset\s*=\s*["']?([^\s"';,]{1,40})/i.exec(contentType ?? '')?.[1] ??
    // A tag that could be read says by that alone that the page is not in UTF-16.
    /<meta[^>]{1,200}charset\s*=\s*["']?([^\s"'>/;]{1,40})/i.exec(start)?.[1]?.replace(/^utf-?16.*/i, 'utf-8');
  const label = markOf(bytes) ?? declared ?? 'utf-8';
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function markOf(bytes: Buffer): string | null {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return null;
}
