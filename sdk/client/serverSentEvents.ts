/** One message of a `text/event-stream`. */
export interface ServerSentEvent {
  /** Of this message or, where it has none, of the last one that had. */
  id: string;
  /** `message` where none is said. */
  type: string;
  /** Its `data` lines, with line breaks between. */
  data: string;
}

/**
 * The messages in the parts of a body, by the rules of the HTML standard. One that is cut off at the end is left out.
 * `onRetry`: how long the server asks to wait before connecting again.
 */
export async function* serverSentEvents(
  chunks: AsyncIterable<Uint8Array>,
  onRetry: (milliseconds: number) => void = () => {},
): AsyncGenerator<ServerSentEvent> {
  let id = '';
  let type = '';
  let data: string[] = [];
  for await (const line of linesOf(chunks)) {
    if (line === '') {
      if (data.length > 0) yield { id, type: type || 'message', data: data.join('\n') };
      type = '';
      data = [];
      continue;
    }
    const [, field, value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) as RegExpExecArray;
    if (field === 'data') data.push(value);
    else if (field === 'event') type = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^\d+$/.test(value)) onRetry(Number(value));
  }
}

/** Lines end with LF, CR or both; the two may come in different parts. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  // It drops a byte order mark, which is none of the first line.
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A CR at the end may be half of a line break.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() as string;
    yield* lines;
  }
}
