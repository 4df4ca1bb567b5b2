import { bundledLanguages, createCssVariablesTheme, createHighlighter, type ThemedToken } from 'shiki';
import { makeManifest } from '../../facade/manifest.ts';
import { type CodeBlock, collectCode, colourKey } from '../../facade/reference/codeHtml.ts';
import { htmlPages } from '../../facade/reference/htmlPages.ts';
import { sourceOf } from '../../facade/reference/markdownPages.ts';
import { routes, schema } from './api.ts';

/** The classes of the style sheet, by the variables of the theme. */
const CLASSES: Record<string, string> = {
  'var(--token-keyword)': 'k',
  'var(--token-string)': 's',
  'var(--token-string-expression)': 's',
  'var(--token-constant)': 'n',
  'var(--token-function)': 'f',
  'var(--token-comment)': 'c',
};

/**
 * Every block of code of the reference with its colours, by its key: the product shows them without shiki, whose grammars take
 * seconds to load. It fills in its address and the day; see facade/reference/codeHtml.ts.
 */
export async function printColours(): Promise<string> {
  const known = ({ language }: CodeBlock) => language in bundledLanguages;
  const blocks = collect().filter(known);
  const theme = createCssVariablesTheme({ name: 'classes', variablePrefix: '--', fontStyle: false });
  const langs = [...new Set(blocks.map(({ language }) => language))];
  const highlighter = await createHighlighter({ themes: [theme], langs });
  const coloured = blocks.map(({ language, code }) => {
    const lang = language as keyof typeof bundledLanguages;
    // Without a limit of time, which leaves lines without colours on a busy machine.
    const lines = highlighter.codeToTokensBase(code, { lang, theme, tokenizeTimeLimit: 0 });
    return [colourKey(language, code), lines.map(markup).join('\n')];
  });
  return JSON.stringify(Object.fromEntries(coloured));
}

/** Every block of code of every page. */
function collect(): CodeBlock[] {
  const source = sourceOf(makeManifest(routes, schema));
  return collectCode(() => {
    for (const page of htmlPages(source)) page.write();
  });
}

/** A line, in which neighbours of one colour are one element. */
function markup(tokens: ThemedToken[]): string {
  const parts: { name: string | undefined; content: string }[] = [];
  for (const { content, color } of tokens) {
    const name = CLASSES[color ?? ''];
    const last = parts.at(-1);
    if (last && last.name === name) last.content += content;
    else parts.push({ name, content });
  }
  return parts
    .map(({ name, content }) => (name ? `<span class="${name}">${escaped(content)}</span>` : escaped(content)))
    .join('');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
