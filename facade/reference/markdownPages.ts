import { VERIFIERS } from '../../sdk/verifiers.ts';
import { config } from '../../src/kernel/config.ts';
import { GUIDES_PATH, OWN_PATHS } from '../../src/kernel/origins.ts';
import { type Manifest, type ManifestEvent, type ManifestOperation, webhookBodies } from '../manifest.ts';
import { aboutApi } from '../openapi/about.ts';
import { type ReadGuide, readGuides } from './guides.ts';
import { operationText, partsOf, typesText } from './operationText.ts';
import { samplesOf } from './samples.ts';

/** A page in Markdown, at a path of the host of BASE_URL. */
export interface MarkdownPage {
  path: string;
  title: string;
  write(): string;
}

/** What the pages are made from. */
export interface Source {
  manifest: Manifest;
  guides: ReadGuide[];
}

export function sourceOf(manifest: Manifest): Source {
  return { manifest, guides: readGuides() };
}

const { reference: REFERENCE } = OWN_PATHS;

/** A tag with its operations. */
export interface TagOf {
  name: string;
  /** The last segment of its page. */
  segment: string;
  description: string;
  operations: ManifestOperation[];
}

/** The tags that have operations, in the order of the document. */
export function tagsOf({ tags, operations }: Manifest): TagOf[] {
  return tags
    .map((tag) => ({
      ...tag,
      segment: tag.name.toLowerCase(),
      operations: operations.filter((operation) => operation.tag === tag.name),
    }))
    .filter((tag) => tag.operations.length > 0);
}

/** The guides that have a page of their own among those of the reference. */
export const GUIDE_PAGES = [
  { name: 'sdk', title: 'Packages', guides: ['client', 'clients', 'apps', 'webhooks'] },
  { name: 'cli', title: 'Command line', guides: ['cli', 'links-as-code'] },
  { name: 'mcp', title: 'Assistants (MCP)', guides: ['mcp'] },
];

/** Every page in Markdown: the start, tags, operations, guides. */
export function markdownPages({ manifest, guides }: Source): MarkdownPage[] {
  const page = (name: string, title: string, parts: () => string[]): MarkdownPage => ({
    path: `${REFERENCE}/${name}.md`,
    title,
    write: () => `# ${title}\n\n${parts().join('\n\n')}\n`,
  });
  return [
    page('start', 'svc API', () => [startText(manifest), errorsText(manifest)]),
    ...tagsOf(manifest).map((tag) => page(tag.segment, tag.name, () => tagParts(tag, manifest))),
    ...manifest.operations.map((operation) =>
      page(operation.id, operation.summary, () => [
        operationText(operation).replace(/^### .*\n\n/, ''),
        exampleText(operation),
        '## Types',
        typesText(partsOf(operation), manifest),
      ]),
    ),
    ...GUIDE_PAGES.map(({ name, title, guides: parts }) => ({
      path: `${REFERENCE}/${name}.md`,
      title,
      write: () => joined(guides.filter((guide) => parts.includes(guide.name))),
    })),
    ...guides.map(({ name, title, markdown }) => ({ path: `${GUIDES_PATH}/${name}.md`, title, write: () => markdown })),
  ];
}

/** A request as curl sends it, and its answer. */
function exampleText(operation: ManifestOperation): string {
  const [curl] = samplesOf(operation);
  const { example } = operation.answer;
  const answer = example === null ? [] : [`\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``];
  return ['## Example', `\`\`\`sh\n${curl?.code}\n\`\`\``, ...answer].join('\n\n');
}

/** Guides one after another. */
export function joined(guides: readonly ReadGuide[]): string {
  return guides
    .map(({ markdown }) => markdown.trim())
    .join('\n\n')
    .concat('\n');
}

/** How the API works, with what the OpenAPI document says elsewhere. */
export function startText({ scopes, version, apiVersion }: Manifest): string {
  return `Base URL: \`${config.baseUrl}${OWN_PATHS.api}\`; for apps \`${config.sdkUrl ?? config.baseUrl}${OWN_PATHS.sdk}\`. Product ${version}, API version ${apiVersion}. Described for programs by [openapi.json](${OWN_PATHS.api}/openapi.json).

${aboutApi()}

## Scopes
A key has some of these, \`*\` for all of them, or \`*:read\` for those that only read: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.`;
}

/** Each code with its status and advice. */
export function errorsText({ errors, advice }: Manifest): string {
  const lines = Object.entries(errors).map(([code, status]) => `- \`${code}\` (${status}): ${advice[code]}`);
  return `## Error codes\n${lines.join('\n')}`;
}

/** Each event type with its meaning. */
export function eventsText(manifest: Manifest): string {
  const line = ({ type, summary, schema }: ManifestEvent) => `- \`${type}\` (\`${schema}\`): ${summary}`;
  return webhookBodies(manifest).map(line).join('\n');
}

function tagParts({ name, description, operations }: TagOf, manifest: Manifest): string[] {
  const isWebhooks = name === 'Webhooks';
  return [
    description,
    ...operations.map(operationText),
    ...(isWebhooks ? [eventParts(manifest), verifierText()] : []),
    '## Types',
    typesText([...operations.flatMap(partsOf), ...(isWebhooks ? webhookBodies(manifest).map(refTo) : [])], manifest),
  ];
}

const refTo = ({ schema }: { schema: string }) => ({ $ref: schema });

function eventParts(manifest: Manifest): string {
  const samples = webhookBodies(manifest).map(
    ({ type, summary, schema, example }) =>
      `### ${type}\n${summary} Body: \`${schema}\`.\n\n\`\`\`json\n${JSON.stringify(example, null, 2)}\n\`\`\``,
  );
  return `## Events\n\n${samples.join('\n\n')}`;
}

function verifierText(): string {
  const parts = VERIFIERS.map(
    ({ name, language, code }) => `### ${name}\n\n\`\`\`${language}\n${code().trim()}\n\`\`\``,
  );
  return `## Verifying a signature\n\n${parts.join('\n\n')}`;
}
