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

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] as string);
}

/** Decorations above headings, inline because pages load nothing. */
export const ICONS = {
  search: icon(html`<circle cx="11" cy="11" r="7"/><path d="m20 20-4-4"/>`),
  clock: icon(html`<circle cx="12" cy="12" r="9"/><path d="M12 7v5l3 2"/>`),
  lock: icon(html`<rect x="5" y="11" width="14" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>`),
  arrow: icon(html`<path d="M4 12h15m-6-6 6 6-6 6"/>`),
  app: icon(html`<rect x="7" y="3" width="10" height="18" rx="2"/><path d="M11 18h2"/>`),
  alarm: icon(html`<path d="M12 4 2.5 20h19zM12 10v4m0 3v.01"/>`, 'icon alarm'),
};

function icon(shapes: Html, className = 'icon'): Html {
  return html`<svg class="${className}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${shapes}</svg>`;
}
