/** Markup that is safe to send. Made by `html` alone. */
export class Html {
  constructor(readonly markup: string) {}
}

/** Markup with values in it. Every value is escaped, for text and for quoted attributes, but what is `Html` itself. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((whole, part, at) => whole + markupOf(values[at - 1]) + part));
}

/** Lists stand one after the other; null and undefined leave nothing. */
type Value = string | Html | readonly Html[] | null | undefined;

function markupOf(value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  return value instanceof Html ? value.markup : value.map(({ markup }) => markup).join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
