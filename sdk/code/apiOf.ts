import type { OperationId, Svc } from '../client/index.ts';
import type { CodeApi, LinkFilter } from './api.ts';
import { operationApi } from './operationApi.ts';
import type { Row } from './types.ts';

/** An export of many links costs one request. */
const MAX_LOOKUPS = 6;
/** A thousand links on a busy server. */
const TIMEOUT_SECONDS = 120;

/** What the engine asks, by a client. */
export function apiOf(client: Svc, signal?: AbortSignal): CodeApi {
  const common = { timeoutSeconds: TIMEOUT_SECONDS, ...(signal ? { signal } : {}) };
  return operationApi({
    maxLookups: MAX_LOOKUPS,
    async ask(operation, asked) {
      const answer = await client.request(operation as OperationId, { ...common, ...asked });
      return answer.bytes.length === 0 ? null : answer.json();
    },
    exportLinks: (filter) => exportLinks(client, filter, common),
  });
}

/** One link a line. */
async function* exportLinks(client: Svc, filter: LinkFilter, common: { signal?: AbortSignal }): AsyncGenerator<Row> {
  const query = { ...filter, format: 'ndjson' };
  const { stream, mediaType } = await client.request('exportLinks', { ...common, query, isStreamed: true });
  if (mediaType !== 'application/x-ndjson' || !stream)
    throw Object.assign(new Error('The server is older than links as code: it exports no links as lines of JSON.'), {
      code: 'server_too_old',
    });
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of stream as unknown as AsyncIterable<Uint8Array>) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line) yield JSON.parse(line) as Row;
  }
  if (rest.trim()) yield JSON.parse(rest) as Row;
}
