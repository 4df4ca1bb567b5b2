import type { Manifest, ManifestOperation } from './manifest.ts';
import { aboutApi } from './openapi/about.ts';

/** A page of the documentation. */
interface Page {
  name: string;
  title: string;
  text: string;
}

/** The documentation that the API has of itself: its rules by heading, and a page for each tag. */
export function manifestDocs(manifest: Manifest) {
  const pages = [
    ...rulesOf(aboutApi()),
    ...manifest.tags.map((tag) => tagPage(manifest, tag)),
    eventsPage(manifest),
    errorsPage(manifest),
    routingPage(manifest),
  ];
  const byName = new Map(pages.map((page) => [page.name, page]));
  return {
    topics: () => pages.map(({ name, title }) => ({ name, title })),
    page: (name: string) => byName.get(name)?.text ?? null,
    search: (words: string) => search(pages, words),
  };
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
  const first: Page = { name: 'api', title: 'How the API works', text: `# How the API works\n\n${start.trim()}` };
  const rest = sections.map((section) => {
    const title = section.split('\n', 1)[0] as string;
    return { name: nameOf(title), title, text: `# ${section.trim()}` };
  });
  return [first, ...rest];
}

function tagPage({ operations }: Manifest, { name, description }: { name: string; description: string }): Page {
  const shown = operations.filter((operation) => operation.tag === name).map(describe);
  return {
    name: `api-${nameOf(name)}`,
    title: `API: ${name}`,
    text: [`# ${name}`, description, ...shown].join('\n\n'),
  };
}

function describe({ id, method, path, summary, description, params, scope }: ManifestOperation): string {
  const lines = params.map(
    (param) => `- ${param.name}${param.required ? '*' : ''}: ${param.description ?? 'in the path'}`,
  );
  const about = [
    `## ${id}: ${summary}`,
    `\`${method} ${path}\`${scope ? `, scope ${scope}` : ''}`,
    description ?? '',
    lines.join('\n'),
  ];
  return about.filter(Boolean).join('\n\n');
}

function eventsPage({ events }: Manifest): Page {
  const lines = events.map(({ type, summary }) => `- \`${type}\`: ${summary}`);
  return { name: 'events', title: 'Event types', text: ['# Event types', lines.join('\n')].join('\n\n') };
}

function errorsPage({ errors }: Manifest): Page {
  const lines = Object.entries(errors).map(([code, status]) => `- \`${code}\` (${status})`);
  return { name: 'error-codes', title: 'Error codes', text: ['# Error codes', lines.join('\n')].join('\n\n') };
}

/** What `routing` of a link takes, which is too large to stand beside the tools. */
function routingPage({ schemas }: Manifest): Page {
  const names = [
    'Routing',
    'RoutingRule',
    'Conditions',
    'NegatedConditions',
    'QueryCondition',
    'SplitEntry',
    'PlatformRouting',
  ];
  const shown = names
    .filter((name) => schemas[name])
    .map((name) => `## ${name}\n\n${fieldsOf(schemas[name] as Shape)}`);
  const intro =
    'Rules are tried in their order; the first whose conditions all fit decides. Then comes the split, then the platform, then the destination of the link.';
  return {
    name: 'routing',
    title: 'Routing of links: rules, split, platforms',
    text: ['# Routing', intro, ...shown].join('\n\n'),
  };
}

interface Shape {
  type?: unknown;
  description?: string;
  $ref?: string;
  enum?: unknown[];
  items?: Shape;
  oneOf?: Shape[];
  properties?: Record<string, Shape>;
}

function fieldsOf({ properties = {} }: Shape): string {
  return Object.entries(properties)
    .map(([name, shape]) => `- ${name} (${typeOf(shape)})${shape.description ? `: ${shape.description}` : ''}`)
    .join('\n');
}

function typeOf(shape: Shape): string {
  if (shape.$ref) return shape.$ref.split('/').at(-1) as string;
  if (shape.oneOf) return shape.oneOf.map(typeOf).join(' or ');
  if (shape.enum) return shape.enum.join(', ');
  if (shape.items) return `list of ${typeOf(shape.items)}`;
  return [shape.type ?? 'any'].flat().join(' or ');
}

function nameOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
