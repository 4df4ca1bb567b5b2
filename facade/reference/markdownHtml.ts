import MarkdownIt from 'markdown-it';
import { Html } from '../../src/kernel/html.ts';
import { codeHtml } from './codeHtml.ts';

/** Markup in the text is shown as text: what is written here stays safe under any policy. */
const parser = new MarkdownIt({ html: false, linkify: false });

parser.renderer.rules.fence = (tokens, at) => {
  const { info = '', content = '' } = tokens[at] ?? {};
  return codeHtml(info.trim(), content).markup;
};
parser.renderer.rules.table_open = () => '<div class="wide" role="group" tabindex="0" aria-label="Table"><table>\n';
parser.renderer.rules.table_close = () => '</table></div>\n';

/**
 * Markdown as markup. Headings get anchors as GitHub makes them, with `prefix` in front, and are moved down by `deeper`, so that
 * a text can stand below a heading of the page.
 */
export function markdownHtml(markdown: string, { prefix = '', deeper = 0 } = {}): Html {
  const tokens = parser.parse(markdown, {});
  const taken = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    // A table without names above its columns: an empty heading would be read out.
    const isEmpty = token.type === 'th_open' && tokens[at + 1]?.content === '';
    if (isEmpty) for (const cell of [token, tokens[at + 2]]) if (cell) cell.tag = 'td';
    if (token.type !== 'heading_open' && token.type !== 'heading_close') continue;
    token.tag = `h${Math.min(Number(token.tag.slice(1)) + deeper, 6)}`;
    if (token.type === 'heading_open')
      token.attrSet('id', unique(prefix + slugOf(tokens[at + 1]?.content ?? ''), taken));
  }
  return new Html(parser.renderer.render(tokens, parser.options, {}));
}

/** A line of Markdown without a paragraph around it. */
export function inlineHtml(markdown: string): Html {
  return new Html(parser.renderInline(markdown));
}

/** As GitHub names the anchor of a heading. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
}

function unique(slug: string, taken: Map<string, number>): string {
  const times = taken.get(slug) ?? 0;
  taken.set(slug, times + 1);
  return times === 0 ? slug : `${slug}-${times}`;
}
