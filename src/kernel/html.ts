/** Markup that is safe to send. Created only by `html`. */
export class Html {
  constructor(readonly markup: string) {}
}

/** A template tag for markup. Escapes every value for text and quoted attributes, except values that are `Html`. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  return new Html(parts.reduce((whole, part, at) => whole + markupOf(values[at - 1]) + part));
}

/** Lists are joined; null and undefined become empty. */
type Value = string | Html | readonly Html[] | null | undefined;

function markupOf(value: Value): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return escapeHtml(value);
  return value instanceof Html ? value.markup : value.map(({ markup }) => markup).join('');
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Safe in text and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}
