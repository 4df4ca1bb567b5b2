import type { Letter } from './Letter.ts';
import { oneLine } from './plainText.ts';
import type { MailContent } from './queueMails.ts';

/** Longer ones are cut off by mail programs anyway. */
const MOST_OF_SUBJECT = 150;
const MOST_OF_PARAGRAPH = 2000;

/** A letter as mail, in text and in HTML. */
export function renderLetter(letter: Letter): MailContent {
  const plain = {
    ...letter,
    subject: oneLine(letter.subject, MOST_OF_SUBJECT),
    paragraphs: letter.paragraphs.map((paragraph) => oneLine(paragraph, MOST_OF_PARAGRAPH)),
    facts: (letter.facts ?? []).map(([name, value]): [string, string] => [name, oneLine(value, MOST_OF_PARAGRAPH)]),
  };
  return { subject: plain.subject, text: textOf(plain), html: htmlOf(plain) };
}

type PlainLetter = Letter & Required<Pick<Letter, 'facts'>>;

function textOf({ subject, paragraphs, facts, action, reason, preferencesUrl }: PlainLetter): string {
  const list = facts.map(([name, value]) => `${name}: ${value}`).join('\n');
  const footer = [reason, ...(preferencesUrl ? [`Choose which mails you get: ${preferencesUrl}`] : [])].join('\n');
  const parts = [subject, ...paragraphs, list, `${action.label}:\n${action.url}`, `-- \n${footer}`];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Colours by the name of what has them; dark ones replace the others where a mail program asks for that. */
const COLOURS: Record<string, { light: string; dark: string }> = {
  page: { light: 'background-color:#f3f4f6;color:#1f2328', dark: 'background-color:#111418;color:#e6e8eb' },
  card: { light: 'background-color:#ffffff;color:#1f2328', dark: 'background-color:#1c2127;color:#e6e8eb' },
  quiet: { light: 'color:#57606a', dark: 'color:#a3acb6' },
  link: { light: 'color:#0a58ca', dark: 'color:#7db3ff' },
  button: { light: 'background-color:#0a58ca;color:#ffffff', dark: 'background-color:#2f72d6;color:#ffffff' },
  rule: { light: 'border-top:1px solid #d8dde3', dark: 'border-top:1px solid #353c45' },
};

const DARK = Object.entries(COLOURS)
  .map(([name, { dark }]) => `.${name}{${dark.replace(/(?=;|$)/g, ' !important')}}`)
  .join('');

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5";
const BUTTON = 'display:inline-block;padding:10px 18px;border-radius:6px;font-weight:600;text-decoration:none';

/** Class for the dark colours, inline the light ones: some mail programs read nothing else. */
function styled(name: string, more = ''): string {
  return `class="${name}" style="${COLOURS[name]?.light}${more && `;${more}`}"`;
}

function htmlOf({ subject, paragraphs, facts, action, reason, preferencesUrl }: PlainLetter): string {
  const url = escapeHtml(action.url);
  const rows = facts.map(
    ([name, value]) =>
      `<tr><th scope="row" ${styled('quiet', 'text-align:left;vertical-align:top;font-weight:400;padding:2px 16px 2px 0;white-space:nowrap')}>` +
      `${escapeHtml(name)}</th><td style="padding:2px 0;overflow-wrap:anywhere">${escapeHtml(value)}</td></tr>`,
  );
  const preferences =
    preferencesUrl && `<br><a ${styled('link')} href="${escapeHtml(preferencesUrl)}">Choose which mails you get</a>`;
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
<p ${styled('quiet', 'margin:0 0 20px;font-size:13px;overflow-wrap:anywhere')}>Or open <a ${styled('link')} href="${url}">${url}</a></p>
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
