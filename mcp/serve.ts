import { createMcpHandler, type McpRequestContext, type Server } from '@modelcontextprotocol/server';
import { narrowingOf } from './narrowing.ts';
import type { Parts, Session } from './parts.ts';
import { productServer } from './productServer.ts';
import { initializeRefusal } from './protocolVersion.ts';

/** Answers requests to `/mcp` that are authenticated and counted. */
export interface McpHandler {
  fetch(request: Request, session: Session, parsedBody: unknown): Promise<Response>;
  /** Ends every stream that has no end of its own. Calls are still answered. */
  close(): Promise<void>;
}

/** Makes the server of one request. */
export type ServerOf = (session: Session, url: URL, context: McpRequestContext) => Server;

/** The tools of the product over the Model Context Protocol: revision 2026-07-28, and the ones before without sessions. */
export function serveMcp(parts: Parts): McpHandler {
  const serverOf = productServer(parts);
  const handler = handlerOf((session, url, context) => {
    const narrowing = narrowingOf(url.searchParams);
    if (typeof narrowing === 'string') throw new Error(narrowing);
    return serverOf(session, narrowing, context);
  });
  return {
    ...handler,
    async fetch(request, session, parsedBody) {
      const narrowing = narrowingOf(new URL(request.url).searchParams);
      if (typeof narrowing === 'string') return badUrl(narrowing);
      return handler.fetch(request, session, parsedBody);
    },
  };
}

/** The transport, for whatever server is made for a request. */
export function handlerOf(serverOf: ServerOf): McpHandler {
  // A call ends by itself and a stream of changes does not. A stop ends streams alone, so that calls in hand are answered.
  const calls = transportOf(serverOf);
  const streams = transportOf(serverOf);
  let isClosing = false;
  return {
    async fetch(request, session, parsedBody) {
      const refusal = await initializeRefusal(request, parsedBody);
      if (refusal) return refusal;
      const isStream = (parsedBody as { method?: unknown } | undefined)?.method === 'subscriptions/listen';
      if (isStream && isClosing) return stopping();
      const authInfo = {
        token: '',
        clientId: session.keyId,
        scopes: [...session.scopes],
        extra: { session, given: givenIn(parsedBody) },
      };
      const options = { authInfo, ...(parsedBody === undefined ? {} : { parsedBody }) };
      return (isStream ? streams : calls).fetch(request, options);
    },
    async close() {
      isClosing = true;
      await streams.close();
    },
  };
}

/**
 * The arguments of a call as they were sent. The protocol's own parser copies them by assignment, which loses a name such as
 * `__proto__` where it should be refused.
 */
function givenIn(parsedBody: unknown): unknown {
  return (parsedBody as { params?: { arguments?: unknown } | null } | null | undefined)?.params?.arguments;
}

function transportOf(serverOf: ServerOf) {
  return createMcpHandler(
    (context) => {
      const session = context.authInfo?.extra?.session as Session;
      return serverOf(session, new URL(context.requestInfo?.url ?? 'http://localhost/mcp'), context);
    },
    // Nothing is ever published, so a stream of changes is one of silence. Where this is mounted they are counted by team.
    { legacy: 'stateless', responseMode: 'auto', keepAliveMs: 15_000, maxSubscriptions: Number.MAX_SAFE_INTEGER },
  );
}

function stopping(): Response {
  const error = { code: -32603, message: 'This process is stopping. Connect again.', data: { code: 'unavailable' } };
  const headers = { 'Retry-After': '1' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 503, headers });
}

function badUrl(message: string): Response {
  const error = {
    code: -32602,
    message: `The URL of this connection is not valid. ${message}`,
    data: { code: 'invalid_request' },
  };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 400 });
}
