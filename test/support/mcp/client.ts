import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

/** How a person answers what a tool asks. */
export type Person = 'accepts' | 'declines' | 'cancels' | null;

export interface ConnectOptions {
  query?: string;
  person?: Person;
  name?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into results of every shape
type Any = any;

/** An assistant: the official client of revision 2026-07-28, connected to a product. */
export interface Assistant {
  client: Client;
  /** What it was asked by tools. */
  questions: string[];
  call(name: string, args?: object): Promise<Any>;
  /** The structured content of a call that succeeded. */
  ask(name: string, args?: object): Promise<Any>;
  close(): Promise<void>;
}

export async function connect(
  origin: string,
  key: string,
  { query = '', person = null, name = 'test' }: ConnectOptions = {},
): Promise<Assistant> {
  const client = new Client({ name, version: '1.0.0' }, {
    capabilities: person ? { elicitation: { form: {} } } : {},
    versionNegotiation: { mode: 'auto' },
  } as Any);
  const questions: string[] = [];
  if (person) {
    client.setRequestHandler('elicitation/create', async ({ params }: Any) => {
      questions.push(params.message);
      if (person === 'accepts') return { action: 'accept', content: { confirm: true } };
      return { action: person === 'declines' ? 'decline' : 'cancel' };
    });
  }
  const transport = new StreamableHTTPClientTransport(new URL(`${origin}/mcp${query}`), {
    requestInit: { headers: { Authorization: `Bearer ${key}` } },
  });
  await client.connect(transport);
  const call = (tool: string, args: object = {}): Promise<Any> =>
    client.callTool({ name: tool, arguments: args as Record<string, unknown> });
  return {
    client,
    questions,
    call,
    async ask(tool, args) {
      const result = await call(tool, args);
      if (result.isError) throw new Error(`${tool}: ${result.content[0].text}`);
      return result.structuredContent;
    },
    close: () => client.close(),
  };
}

/** One message to /mcp as it is, with headers as they are. */
export async function post(origin: string, key: string | null, message: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(key ? { Authorization: `Bearer ${key}` } : {}),
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, body: parsed(text) };
}

function parsed(text: string): Any {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return data ? JSON.parse(data) : undefined;
}
