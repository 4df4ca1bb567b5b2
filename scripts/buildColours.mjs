import { existsSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Colours every block of code of the reference, which the product shows without shiki: its grammars take seconds to load.
 * The product fills in its address and the day; see facade/reference/codeHtml.ts. Runs after the compiler.
 */
process.chdir(path.resolve(import.meta.dirname, '..'));
const TO = 'dist/reference/colours.json';

/** The classes of the style sheet, by the variables of the theme. */
const CLASSES = {
  'var(--token-keyword)': 'k',
  'var(--token-string)': 's',
  'var(--token-string-expression)': 's',
  'var(--token-constant)': 'n',
  'var(--token-function)': 'f',
  'var(--token-comment)': 'c',
};

if (!isFresh()) {
  const blocks = await collect();
  const { colourKey } = await load('facade/reference/codeHtml.js');
  const { createHighlighter, createCssVariablesTheme, bundledLanguages } = await import('shiki');
  const theme = createCssVariablesTheme({ name: 'classes', variablePrefix: '--', fontStyle: false });
  const known = (language) => language in bundledLanguages;
  const langs = [...new Set(blocks.map(({ language }) => language))].filter(known);
  const highlighter = await createHighlighter({ themes: [theme], langs });
  const coloured = blocks
    .filter(({ language }) => known(language))
    .map(({ language, code }) => {
      const lines = highlighter.codeToTokensBase(code, { lang: language, theme: 'classes' });
      return [colourKey(language, code), lines.map(markup).join('\n')];
    });
  mkdirSync(path.dirname(TO), { recursive: true });
  writeFileSync(TO, JSON.stringify(Object.fromEntries(coloured)));
}

/** A start builds first, and mostly nothing has changed. */
function isFresh() {
  if (!existsSync(TO)) return false;
  const builtAt = statSync(TO).mtimeMs;
  const sources = globSync([
    'dist/{facade,schema,src}/**/*.js',
    'docs/*.md',
    'README.md',
    'sdk/*/README.md',
    'scripts/buildColours.mjs',
  ]);
  return sources.every((file) => statSync(file).mtimeMs < builtAt);
}

function load(file) {
  return import(path.resolve('dist', file));
}

/** Every block of code of every page. */
async function collect() {
  const { loadConfig } = await load('src/kernel/config.js');
  const { buildGraphqlSchema } = await load('schema/build.js');
  const { compileRoutes } = await load('facade/route.js');
  const { makeManifest } = await load('facade/manifest.js');
  const { collectCode } = await load('facade/reference/codeHtml.js');
  const { htmlPages } = await load('facade/reference/htmlPages.js');
  const { sourceOf } = await load('facade/reference/markdownPages.js');
  loadConfig({ BASE_URL: 'https://svc.example.com', LOG_LEVEL: 'error' });
  const schema = buildGraphqlSchema();
  const source = sourceOf(makeManifest(compileRoutes(schema), schema));
  return collectCode(() => {
    for (const page of htmlPages(source)) page.write();
  });
}

/** A line, in which neighbours of one colour are one element. */
function markup(tokens) {
  const parts = [];
  for (const { content, color } of tokens) {
    const name = CLASSES[color];
    const last = parts.at(-1);
    if (last && last.name === name) last.content += content;
    else parts.push({ name, content });
  }
  return parts
    .map(({ name, content }) => (name ? `<span class="${name}">${escaped(content)}</span>` : escaped(content)))
    .join('');
}

function escaped(text) {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
