/** How soon a client comes back after a stream has ended. */
const RECONNECT_MS = 3000;

/** The first message of every stream, and the last one of a stream that the server ends. */
export const RETRY = `retry: ${RECONNECT_MS}\n\n`;

/** A comment, which keeps proxies from closing an idle connection. */
export const ALIVE = ': alive\n\n';

export const EVENT_STREAM_TYPE = 'text/event-stream; charset=utf-8';

/** The headers of a stream. */
export const STREAM_HEADERS = {
  'Content-Type': EVENT_STREAM_TYPE,
  'Cache-Control': 'no-store',
  // Otherwise proxies would buffer events.
  'X-Accel-Buffering': 'no',
  Connection: 'close',
};

/** How long the end of a stream may take: a client that reads nothing must not delay it. */
export const END_MS = 1000;

/** A message of a stream; `data` is JSON, which has no line breaks. */
export function messageOf({ id, event, data }: { id?: string; event: string; data: string }): string {
  return `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`;
}
