/** The content of a mail as plain text. Text and HTML are rendered from the same letter, so that they cannot differ. */
export interface Letter {
  subject: string;
  /** First what happened, then what to do. */
  paragraphs: string[];
  /** Shown as a table. */
  facts?: [name: string, value: string][];
  /** The button. */
  action: { label: string; url: string };
  /** Why this person receives the mail. */
  reason: string;
  /** Where to unsubscribe; unset for mails that somebody requested and for security notices. */
  preferencesUrl?: string;
}

/** A rendered mail. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

/** Mail programs cut off longer subjects anyway. */
const MAX_SUBJECT_LENGTH = 150;
const MAX_PARAGRAPH_LENGTH = 2000;
const MAX_NAME_LENGTH = 80;

/** Renders a letter as text and as HTML. This is the one place where text is escaped. */
export function renderLetter(letter: Letter): MailContent {
  const plain = {
    ...letter,
    subject: oneLine(letter.subject, MAX_SUBJECT_LENGTH),
    paragraphs: letter.paragraphs.map((paragraph) => oneLine(paragraph, MAX_PARAGRAPH_LENGTH)),
    facts: (letter.facts ?? []).map(([name, value]): [string, string] => [name, oneLine(value, MAX_PARAGRAPH_LENGTH)]),
  };
  return { subject: plain.subject, text: textOf(plain), html: htmlOf(plain) };
}

type PlainLetter = Letter & Required<Pick<Letter, 'facts'>>;

function textOf({ subject, paragraphs, facts, action, reason, preferencesUrl }: PlainLetter): string {
  const list = facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  const footer = [reason, ...(preferencesUrl ? [`Choose which emails you receive: ${preferencesUrl}`] : [])].join('\n');
  const parts = [subject, ...paragraphs, list, `${action.label}:\n${action.url}`, `-- \n${footer}`];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Styles by class name. Mail programs in dark mode use the dark ones. */
const COLORS: Record<string, { light: string; dark: string }> = {
  page: { light: 'background-color:#f3f4f6;color:#1f2328', dark: 'background-color:#111418;color:#e6e8eb' },
  card: { light: 'background-color:#ffffff;color:#1f2328', dark: 'background-color:#1c2127;color:#e6e8eb' },
  quiet: { light: 'color:#57606a', dark: 'color:#a3acb6' },
  link: { light: 'color:#0a58ca', dark: 'color:#7db3ff' },
  button: { light: 'background-color:#0a58ca;color:#ffffff', dark: 'background-color:#2f72d6;color:#ffffff' },
  rule: { light: 'border-top:1px solid #d8dde3', dark: 'border-top:1px solid #353c45' },
};

const DARK = Object.entries(COLORS)
  .map(([name, { dark }]) => `.${name}{${dark.replace(/(?=;|$)/g, ' !important')}}`)
  .join('');

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5";
const BUTTON = 'display:inline-block;padding:10px 18px;border-radius:6px;font-weight:600;text-decoration:none';

/** Light styles are inline, since some mail programs ignore classes; the class carries the dark styles. */
function styled(name: string, more = ''): string {
  return `class="${name}" style="${COLORS[name]?.light}${more && `;${more}`}"`;
}

function htmlOf({ subject, paragraphs, facts, action, reason, preferencesUrl }: PlainLetter): string {
  const url = escapeHtml(action.url);
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th scope="row" ${styled('quiet', 'text-align:left;vertical-align:top;font-weight:400;padding:2px 16px 2px 0;white-space:nowrap')}>` +
      `${escapeHtml(name)}</th><td style="padding:2px 0;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  const preferences =
    preferencesUrl &&
    `<br><a ${styled('link')} href="${escapeHtml(preferencesUrl)}">Choose which emails you receive</a>`;
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${DARK}}</style>
</head>
<body ${styled('page', `margin:0;padding:0;${FONT}`)}>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${styled('page')}><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" ${styled('card', 'max-width:600px;border-radius:8px;text-align:left')}><tr><td style="padding:28px 28px 20px;${FONT}">
<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3;overflow-wrap:anywhere">${escapeHtml(subject)}</h1>
${paragraphs.map((paragraph) => `<p style="margin:0 0 16px;overflow-wrap:anywhere">${escapeHtml(paragraph)}</p>`).join('\n')}
${rows.length > 0 ? `<table cellpadding="0" cellspacing="0" border="0" style="margin:0 0 16px;${FONT};font-size:15px">${rows.join('')}</table>` : ''}
<p style="margin:8px 0 16px"><a ${styled('button', BUTTON)} href="${url}">${escapeHtml(action.label)}</a></p>
<p ${styled('quiet', 'margin:0 0 20px;font-size:13px;overflow-wrap:anywhere')}>Or open this link: <a ${styled('link')} href="${url}">${url}</a></p>
<p ${styled('rule', 'margin:0;padding-top:14px;font-size:13px')}><span ${styled('quiet')}>${escapeHtml(reason)}</span>${preferences ?? ''}</p>
</td></tr></table>
</td></tr></table>
</body>
</html>
`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] as string);
}

/** Line breaks, control characters and marks that change the text direction. */
const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** Reduces untrusted text to one line of at most `maxLength` characters, without control characters. */
export function oneLine(text: string, maxLength: number): string {
  const line = text.replace(CONTROL_CHARACTERS, ' ').replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length <= maxLength ? line : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/**
 * Reduces an untrusted name to one line that mail programs do not turn into a link: an invitation to a team called
 * `visit evil.example` must not advertise it. A word joiner (U+2060) follows each dot, colon, slash and at sign.
 */
export function quotedName(name: string): string {
  return oneLine(name, MAX_NAME_LENGTH).replace(/[.:/@](?=\S)/g, '$&\u2060');
}
