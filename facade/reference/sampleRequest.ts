import type { IdPrefix } from '../../src/kernel/ids.ts';
import type { ManifestOperation } from '../manifest.ts';
import { TEXT_EXAMPLES } from '../openapi/examples.ts';

/** One request to an operation, which the samples in each language send. */
export interface SampleRequest {
  method: string;
  /** The variables of the path in their order. */
  variables: Record<string, string>;
  query: Record<string, string | number | boolean>;
  body: SampleBody | null;
}

type SampleBody = { kind: 'json'; value: unknown } | { kind: 'file'; mediaType: string; file: string; text: string };

/** What the things are that a path names, by its first segment. */
const ID_OF: Record<string, IdPrefix> = {
  projects: 'prj',
  links: 'lnk',
  tags: 'tag',
  domains: 'dom',
  webhooks: 'whk',
  deliveries: 'dlv',
  imports: 'imp',
  installs: 'ins',
  keys: 'key',
  alerts: 'alt',
};

/** Parameters that show what an operation is for. */
const QUERY: Record<string, SampleRequest['query']> = {
  listLinks: { tag: 'newsletter', limit: 20 },
  countLinks: { group_by: 'tag' },
  lookupLink: { external_id: 'campaign-42' },
  getLinkQr: { format: 'svg', size: 512 },
  traceLink: { platform: 'ios', country: 'DE' },
  getAnalytics: { group_by: 'country', interval: '30d' },
  listDeliveries: { status: 'failed' },
  listEvents: { type: 'link.clicked', limit: 20 },
  startImport: { format: 'svc', dry_run: true },
  exportLinks: { tag: 'newsletter' },
};

export const CSV_FILE = 'links.csv';

export function sampleRequest({ id, method, path, params, body }: ManifestOperation): SampleRequest {
  const [resource = ''] = path.replace(/^\/api\/v1\/|^\/v1\/sdk\//, '').split('/');
  const variables = params.filter((param) => param.in === 'path').map(({ name }) => [name, variableOf(name, resource)]);
  return {
    method,
    variables: Object.fromEntries(variables),
    query: QUERY[id] ?? {},
    body: body && sampleBody(id, body),
  };
}

function variableOf(name: string, resource: string): string {
  if (name === 'external_id') return 'campaign-42';
  return `${ID_OF[resource] ?? 'lnk'}_01kb1fm3s3e6rb7s2n9j0c4q7x`;
}

function sampleBody(id: string, { mediaType, example }: NonNullable<ManifestOperation['body']>): SampleBody {
  if (mediaType === 'application/json') return { kind: 'json', value: example };
  return { kind: 'file', mediaType, file: CSV_FILE, text: TEXT_EXAMPLES[id] ?? '' };
}

/** The path of the request with its query. */
export function targetOf(path: string, { variables, query }: SampleRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(variables[name] ?? ''));
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  );
  return parameters.size > 0 ? `${filled}?${parameters}` : filled;
}
