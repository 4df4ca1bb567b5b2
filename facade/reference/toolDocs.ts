import { config } from '../../src/kernel/config.ts';
import type { Manifest, ManifestOperation } from '../manifest.ts';
import { aboutApi } from '../openapi/about.ts';
import { slugOf } from './markdownHtml.ts';
import { errorsText, eventsText, type Source, sourceOf, type TagOf, tagsOf } from './markdownPages.ts';
import { operationText, partsOf, typesText } from './operationText.ts';

/** A page of the documentation. */
interface Page {
  name: string;
  title: string;
  text: string;
}

/** The documentation as assistants look into it: the rules of the API by heading, its operations by tag, and the guides. */
export function toolDocs(manifest: Manifest) {
  const pages = pagesOf(sourceOf(manifest));
  const byName = new Map(pages.map((page) => [page.name, page]));
  const searched = pages.map(({ name, title, text }) => ({
    name,
    heading: `${name} ${title}`.toLowerCase(),
    body: text.toLowerCase(),
  }));
  return {
    topics: () => pages.map(({ name, title }) => ({ name, title })),
    page: (name: string) => byName.get(name)?.text ?? null,
    search: (words: readonly string[]) => search(searched, words),
  };
}

function pagesOf({ manifest, guides }: Source): Page[] {
  const rules = rulesOf(aboutApi());
  const taken = new Set(rules.map(({ name }) => name));
  return [
    ...rules,
    ...guides.map(({ name, title, markdown }) => ({
      name: taken.has(name) ? `guide-${name}` : name,
      title,
      text: markdown,
    })),
    ...tagsOf(manifest).map(tagPage),
    { name: 'events', title: 'Event types', text: `# Event types\n\n${eventsText(manifest)}` },
    { name: 'error-codes', title: 'Error codes', text: errorsText(manifest) },
    routingPage(manifest),
  ];
}

/** A page as it is searched: in lower case, once for all searches. */
interface Searched {
  name: string;
  heading: string;
  body: string;
}

/** As often as this counts a word in a page; more says nothing. */
const MAX_COUNTED = 5;

/** Names of pages by how often they have the words, which are in lower case; those in a title count most. */
function search(pages: readonly Searched[], words: readonly string[]): string[] {
  const scoreOf = ({ heading, body }: Searched) =>
    words.reduce((sum, word) => sum + (heading.includes(word) ? 20 : 0) + occurrencesOf(word, body), 0);
  const scored = pages.map((page) => ({ page, score: scoreOf(page) })).filter(({ score }) => score > 0);
  return scored.sort((a, b) => b.score - a.score).map(({ page }) => page.name);
}

/** How often a text has a word, at most MAX_COUNTED times: the search ends where more would not count. */
function occurrencesOf(word: string, text: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at >= 0 && count < MAX_COUNTED; at = text.indexOf(word, at + word.length))
    count += 1;
  return count;
}

function rulesOf(about: string): Page[] {
  const [start = '', ...sections] = about.split('\n## ');
  const text = `# How the API works\n\nBase URL: ${config.baseUrl}\n\n${start.trim()}`;
  const rest = sections.map((section) => {
    const title = section.split('\n', 1)[0] as string;
    return { name: slugOf(title), title, text: `# ${section.trim()}` };
  });
  return [{ name: 'api', title: 'How the API works', text }, ...rest];
}

function tagPage({ name, segment, description, operations }: TagOf): Page {
  const text = [`# ${name}`, description, ...operations.map(operationText)].join('\n\n');
  return { name: `api-${segment}`, title: `API: ${name}`, text };
}

/** What `routing` of a link takes, which is too large to stand beside the tools. */
function routingPage(manifest: Manifest): Page {
  const intro =
    'Rules are tried in their order; the first whose conditions all fit decides. Then comes the split, then the platform, then the destination of the link.';
  const creation = manifest.operations.find(({ id }) => id === 'createLink') as ManifestOperation;
  return {
    name: 'routing',
    title: 'Routing of links: rules, split, platforms',
    text: [
      '# Routing',
      intro,
      typesText(partsOf({ ...creation, params: [], answer: { ...creation.answer, schema: null } }), manifest),
    ].join('\n\n'),
  };
}
