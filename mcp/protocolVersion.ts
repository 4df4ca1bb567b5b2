import { isLegacyRequest, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';

/** The header by which a client of the revisions with `initialize` names its revision. */
const HEADER = 'mcp-protocol-version';
const INVALID_PARAMS = -32602;
const REVISION = /^\d{4}-\d{2}-\d{2}$/;
const OLDEST = [...SUPPORTED_PROTOCOL_VERSIONS].sort()[0] as string;

/**
 * Why an `initialize` of the older revisions is refused with 400; null for everything else. Its parameter is negotiated:
 * a client that asks for a newer revision is offered the newest of ours. A client names the newest that it speaks, so with one
 * that is older than all of ours nothing is left to offer. An unknown revision in the header is refused as with other messages.
 */
export async function initializeRefusal(request: Request, message: unknown): Promise<Response | null> {
  const { method, id, params } = (message ?? {}) as { method?: unknown; id?: unknown; params?: unknown };
  if (method !== 'initialize' || id === undefined || !(await isLegacyRequest(request, message))) return null;
  const requested = (params as { protocolVersion?: unknown } | null | undefined)?.protocolVersion;
  const header = request.headers.get(HEADER);
  if (header !== null && !SUPPORTED_PROTOCOL_VERSIONS.includes(header)) return refused(id, header);
  if (typeof requested === 'string' && REVISION.test(requested) && requested >= OLDEST) return null;
  return refused(id, requested);
}

function refused(id: unknown, requested: unknown): Response {
  const shown = typeof requested === 'string' ? requested.slice(0, 60) : null;
  const error = {
    code: INVALID_PARAMS,
    message: 'Unsupported protocol version',
    data: { supported: SUPPORTED_PROTOCOL_VERSIONS, requested: shown },
  };
  const echoed = typeof id === 'string' || typeof id === 'number' ? id : null;
  return Response.json({ jsonrpc: '2.0', id: echoed, error }, { status: 400 });
}
