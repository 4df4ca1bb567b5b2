import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';

// biome-ignore lint/suspicious/noExplicitAny: results of every shape that the protocol has
type Any = any;

/** A request as it came. */
interface Seen {
  url: string;
  authorization: string;
  version: string;
  name: string;
}

/** A server of two tools, made with the official SDK: `echo` answers, `wait` waits until its call is cancelled. */
export interface ToolServer {
  origin: string;
  seen: Seen[];
  cancelled: number;
  close(): void;
}

export async function startToolServer(): Promise<ToolServer> {
  const made: ToolServer = { origin: '', seen: [], cancelled: 0, close: () => {} };
  const tools = () => serverOfTools(() => (made.cancelled += 1));
  const handler = createMcpHandler(tools, { legacy: 'stateless', responseMode: 'auto' } as Any);
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { headers } = incoming;
    made.seen.push({
      url: incoming.url ?? '',
      authorization: headers.authorization ?? '',
      version: String(headers['mcp-protocol-version'] ?? ''),
      name: String(headers['mcp-name'] ?? ''),
    });
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const response = await handler.fetch(
      new Request(`http://127.0.0.1${incoming.url}`, {
        method: 'POST',
        headers: headers as Record<string, string>,
        body: Buffer.concat(chunks),
        signal: gone.signal,
      }),
    );
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    for await (const bytes of response.body ?? []) outgoing.write(bytes);
    outgoing.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  made.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  made.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return made;
}

function serverOfTools(onCancelled: () => void): Server {
  const made = new Server({ name: 'tools', version: '1.0.0' }, { capabilities: { tools: {} } });
  const inputSchema = { type: 'object' as const, properties: { text: { type: 'string' } } };
  made.setRequestHandler(
    'tools/list',
    async () =>
      ({
        tools: [
          { name: 'echo', inputSchema },
          { name: 'wait', inputSchema },
        ],
      }) as Any,
  );
  made.setRequestHandler('tools/call', async ({ params }: Any, { mcpReq }: Any) => {
    if (params.name === 'echo') return { content: [{ type: 'text', text: params.arguments.text }] } as Any;
    return new Promise((_, reject) => {
      mcpReq.signal.addEventListener('abort', () => {
        onCancelled();
        reject(new Error('cancelled'));
      });
    });
  });
  return made;
}
