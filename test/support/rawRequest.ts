import { connect } from 'node:net';

export interface RawReply {
  status: number;
  /** Names in lower case; of a header that came twice, the values with a comma. */
  headers: Record<string, string>;
  body: string;
}

export interface RawAsk {
  method?: string;
  /** Null: none is sent. */
  host?: string | null;
  headers?: Record<string, string>;
  body?: string;
}

/** One request with its path byte by byte as given, which fetch would tidy, and a Host header of one's own. */
export function rawRequest(origin: string, path: string, ask: RawAsk = {}): Promise<RawReply> {
  const { hostname, port, host: own } = new URL(origin);
  const { method = 'GET', host = own, headers = {}, body } = ask;
  const lines = {
    ...(host === null ? {} : { Host: host }),
    Connection: 'close',
    ...(body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () =>
      socket.write(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${body ?? ''}`),
    );
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(parse(Buffer.concat(chunks).toString())));
  });
}

function parse(text: string): RawReply {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return { status: Number(first.split(' ')[1]), headers, body: text.slice(end + 4) };
}
