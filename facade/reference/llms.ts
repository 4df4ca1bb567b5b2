import { config } from '../../src/kernel/config.ts';
import { OWN_PATHS } from '../../src/kernel/origins.ts';
import { webhookBodies } from '../manifest.ts';
import type { ReadGuide } from './guides.ts';
import { errorsText, eventsText, joined, type Source, startText, tagsOf } from './markdownPages.ts';
import { operationText, partsOf, typesText } from './operationText.ts';

/** The first page for assistants, as llmstxt.org describes it: a title, a summary, text, and lists of links. */
export function llmsText({ manifest, guides }: Source): string {
  const { baseUrl } = config;
  const isNeeded = (guide: ReadGuide) => !guide.isOptional;
  const guideLine = ({ title, name, note }: ReadGuide) => link(title, `/docs/${name}.md`, note);
  return `# svc

> This installation at ${baseUrl} manages short links, deep links, click analytics, app attribution and signed webhooks for its teams, over a REST API, an MCP server and a command line.

REST API: ${baseUrl}${OWN_PATHS.api}. JSON with snake_case names. Auth: \`Authorization: Bearer sk_live_…\`, a secret key of one project; people create keys in the dashboard, ${baseUrl}${OWN_PATHS.dashboard}.

\`\`\`sh
curl ${baseUrl}${OWN_PATHS.api}/links -H "Authorization: Bearer $SVC_KEY" -H "Content-Type: application/json" -d '{"destination": "https://example.com"}'
\`\`\`

What is easily done wrong:

- Unknown fields and query parameters are refused (422 \`validation_failed\`, with the nearest known name).
- For work that may be repeated, give links an \`external_id\` and use \`PUT /links/external/{external_id}\`; do not search and then create.
- Send an \`Idempotency-Key\` with each POST: a retry with it does nothing twice. \`?dry_run=true\` rehearses a write.
- Archiving stops a link and keeps its slug and figures. Deleting is for good; prefer archiving.
- Webhook signatures cover the raw body: verify before parsing, and test with signed requests.

## Guides

${guides.filter(isNeeded).map(guideLine).join('\n')}

## API

${link('Start', `${OWN_PATHS.reference}/start.md`, 'keys, errors, pagination, limits, idempotency, dry runs, scopes')}
${tagsOf(manifest)
  .map(({ name, segment, description }) => link(name, `${OWN_PATHS.reference}/${segment}.md`, description))
  .join('\n')}

## Machines

${machineLines().join('\n')}

## Optional

${guides
  .filter((guide) => !isNeeded(guide))
  .map(guideLine)
  .join('\n')}
`;
}

function link(name: string, path: string, note: string): string {
  return `- [${name}](${config.baseUrl}${path}): ${note}`;
}

function machineLines(): string[] {
  return [
    link('Everything on one page', OWN_PATHS.llmsFull, 'all guides and the whole API, about 40,000 tokens'),
    link('OpenAPI', `${OWN_PATHS.api}/openapi.json`, 'OpenAPI 3.1 of every operation and webhook, for generators'),
    link(
      'MCP',
      `${OWN_PATHS.reference}/mcp.md`,
      `the server at \`${config.baseUrl}${OWN_PATHS.mcp}\`, its tools and limits`,
    ),
    link('Command line', `${OWN_PATHS.reference}/cli.md`, '`svc`, also links as code'),
    link('Clients', `${OWN_PATHS.reference}/sdk.md`, 'packages for servers, apps and receivers of webhooks'),
  ];
}

/** Everything for assistants that read it at once: guides, the API in short, events, errors. */
export function llmsFullText({ manifest, guides }: Source): string {
  const { operations } = manifest;
  const used = [...operations.flatMap(partsOf), ...webhookBodies(manifest).map(({ schema }) => ({ $ref: schema }))];
  return `# svc

> Everything about this installation at ${config.baseUrl} for machines: guides, the REST API, events and errors. The short version is ${config.baseUrl}${OWN_PATHS.llms}, which also lists what is not here: the packages for servers, apps and receivers, running an installation, moving from other services.

# The API

${startText(manifest)}

${errorsText(manifest)}

## Events
${eventsText(manifest)}

${tagsOf(manifest)
  .map(({ name, description, operations }) =>
    [`## ${name}`, description, ...operations.map(operationText)].join('\n\n'),
  )
  .join('\n\n')}

## Types
\`?\` marks what may be left out of bodies.

${typesText(used, manifest)}

${joined(guides.filter((guide) => !guide.isOptional && !isOfPackage(guide)))}`;
}

/** Packages have pages of their own, longer than the rest together. */
function isOfPackage({ file }: ReadGuide): boolean {
  return file.startsWith('sdk/');
}
