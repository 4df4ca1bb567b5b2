import { createInterface } from 'node:readline';
import { createParser } from 'eventsource-parser';
import type { SvcAnswer } from '../../sdk/client/index.ts';
import type { Context } from '../context.ts';

/** A message of JSON-RPC, as far as the bridge looks into it. */
interface Message {
  id?: string | number | null;
  method?: string;
  // biome-ignore lint/suspicious/noExplicitAny: of whatever method
  params?: any;
  // biome-ignore lint/suspicious/noExplicitAny: of whatever method
  result?: any;
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';
/** Which parameter the header `Mcp-Name` repeats, by method. */
const NAMED_BY: Record<string, string> = { 'tools/call': 'name', 'prompts/get': 'name', 'resources/read': 'uri' };
/** Answers may take as long as a tool works: they are ended by the assistant, or by the server. */
const PATIENCE_SECONDS = 3600;
/** Of JSON-RPC: what the server did not answer itself. */
const SERVER_ERROR = -32000;

/** Carries messages between stdin and stdout and the server's MCP address: a line in is a POST, and each answer is a line out. */
export class Bridge {
  private readonly context: Context;
  private readonly path: string;
  private readonly write: (line: string) => void;
  private readonly running = new Map<Message['id'], AbortController>();
  /** What `initialize` agreed on; later revisions say it in each message. */
  private agreedVersion: string | null = null;

  constructor(context: Context, path: string, write: (line: string) => void) {
    this.context = context;
    this.path = path;
    this.write = write;
  }

  /** Ends when the input ends and everything is answered. */
  async run(input: NodeJS.ReadableStream): Promise<void> {
    const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
    this.context.signal.addEventListener('abort', () => lines.close(), { once: true });
    const open = new Set<Promise<void>>();
    for await (const line of lines) {
      if (line.trim() === '') continue;
      const sent = this.take(line).finally(() => open.delete(sent));
      open.add(sent);
    }
    await Promise.all(open);
  }

  private async take(line: string): Promise<void> {
    let message: Message;
    try {
      message = JSON.parse(line);
    } catch {
      this.refuse(null, -32700, 'The line is no JSON.');
      return;
    }
    if (message.method === 'notifications/cancelled') {
      this.running.get(message.params?.requestId)?.abort();
      return;
    }
    await this.send(line, message);
  }

  private async send(line: string, message: Message): Promise<void> {
    const { id } = message;
    const controller = new AbortController();
    if (id !== undefined) this.running.set(id, controller);
    try {
      const client = await this.context.client();
      const answer = await client.request(
        { method: 'POST', path: this.path },
        {
          body: line,
          contentType: 'application/json',
          headers: this.headersOf(message),
          signal: AbortSignal.any([controller.signal, this.context.signal]),
          isStreamed: true,
          retries: 0,
          timeoutSeconds: PATIENCE_SECONDS,
        },
      );
      await this.readAnswer(answer, message);
    } catch (error) {
      if (!controller.signal.aborted && !this.context.signal.aborted) this.fail(id, error);
    } finally {
      if (id !== undefined) this.running.delete(id);
    }
  }

  private headersOf({ method = '', params }: Message): Record<string, string> {
    const headers: Record<string, string> = { Accept: 'application/json, text/event-stream' };
    const version = params?._meta?.[VERSION_KEY];
    if (typeof version !== 'string') {
      return this.agreedVersion ? { ...headers, 'MCP-Protocol-Version': this.agreedVersion } : headers;
    }
    const name = params[NAMED_BY[method] ?? ''];
    return {
      ...headers,
      'MCP-Protocol-Version': version,
      'Mcp-Method': method,
      ...(typeof name === 'string' && { 'Mcp-Name': headerText(name) }),
    };
  }

  private async readAnswer(answer: SvcAnswer, asked: Message): Promise<void> {
    const pass = (text: string) => {
      const message: Message = JSON.parse(text);
      if (asked.method === 'initialize' && message.id === asked.id)
        this.agreedVersion = message.result?.protocolVersion ?? null;
      this.write(JSON.stringify(message));
    };
    const decoder = new TextDecoder();
    const isEvents = answer.mediaType === 'text/event-stream';
    const parser = createParser({ onEvent: ({ data }) => pass(data) });
    let whole = '';
    for await (const bytes of answer.stream ?? []) {
      const text = decoder.decode(bytes, { stream: true });
      if (isEvents) parser.feed(text);
      else whole += text;
    }
    if (whole.trim() !== '') pass(whole);
  }

  /** What the server refused in its own words is passed on; the rest is put into words here. */
  private fail(id: Message['id'], error: unknown): void {
    const { body = '', message } = error as { body?: string; message: string };
    this.context.output.problem(`svc mcp: ${message}`);
    if (isJsonRpc(body)) this.write(JSON.stringify({ ...JSON.parse(body), ...(id !== undefined && { id }) }));
    else if (id !== undefined) this.refuse(id, SERVER_ERROR, message);
  }

  private refuse(id: Message['id'], code: number, message: string): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }
}

function isJsonRpc(body: string): boolean {
  try {
    return JSON.parse(body).jsonrpc === '2.0';
  } catch {
    return false;
  }
}

/** Headers are ASCII without spaces around: other names travel in base64, as the protocol says. */
function headerText(text: string): string {
  const isPlain =
    /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !(text.startsWith('=?base64?') && text.endsWith('?='));
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}
