import { type Html, html } from '../../kernel/html.ts';

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
