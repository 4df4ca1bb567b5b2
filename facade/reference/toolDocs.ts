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
  return {
    topics: () => pages.map(({ name, title }) => ({ name, title })),
    page: (name: string) => byName.get(name)?.text ?? null,
    search: (words: string) => search(pages, words),
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

/** Names of pages by how often they have the words; those in a title count most. */
function search(pages: readonly Page[], words: string): string[] {
  const wanted = words
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter((word) => word.length > 1);
  const scoreOf = ({ name, title, text }: Page) => {
    const [heading, body] = [`${name} ${title}`.toLowerCase(), text.toLowerCase()];
    return wanted.reduce(
      (sum, word) => sum + (heading.includes(word) ? 20 : 0) + Math.min(5, body.split(word).length - 1),
      0,
    );
  };
  const scored = pages.map((page) => ({ page, score: scoreOf(page) })).filter(({ score }) => score > 0);
  return scored.sort((a, b) => b.score - a.score).map(({ page }) => page.name);
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
