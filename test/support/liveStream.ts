/** An event of a stream; `data` is parsed. */
export interface StreamEvent {
  event: string;
  id: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into data of every shape
  data: any;
}

/** A stream of server-sent events that is being read. */
export interface LiveStream {
  status: number;
  headers: Headers;
  /** What has come so far, in order. */
  events: StreamEvent[];
  /** Everything, as it came. */
  text(): string;
  /** Resolves when the server has ended it. */
  ended: Promise<void>;
  close(): void;
}

/** Opens the live clicks of a project as the holder of `cookie`, and reads them until it is closed. */
export function openLiveStream(
  origin: string,
  projectId: string,
  cookie: string,
  headers: Record<string, string> = {},
): Promise<LiveStream> {
  return openStream(`${origin}/graphql/clicks?project_id=${projectId}`, { Cookie: cookie, ...headers });
}

/** Opens any stream of server-sent events. */
export async function openStream(url: string, headers: Record<string, string>): Promise<LiveStream> {
  const abort = new AbortController();
  const response = await fetch(url, { headers, signal: abort.signal });
  const events: StreamEvent[] = [];
  let text = '';
  let parsed = 0;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      for (let end = text.indexOf('\n\n', parsed); end >= 0; end = text.indexOf('\n\n', parsed)) {
        const event = parse(text.slice(parsed, end));
        if (event) events.push(event);
        parsed = end + 2;
      }
    }
  };
  return {
    status: response.status,
    headers: response.headers,
    events,
    text: () => text,
    ended: read().catch(() => {}),
    close: () => abort.abort(),
  };
}

function parse(block: string): StreamEvent | null {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
  );
  return fields.event ? { event: fields.event, id: fields.id ?? null, data: JSON.parse(fields.data ?? 'null') } : null;
}
