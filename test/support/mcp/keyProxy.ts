import { request as ask, createServer, type Server } from 'node:http';

/** Adds the key, which the conformance tests cannot send, and passes everything else on as it is. */
export async function withKey(target: URL, key: string): Promise<{ url: string; close(): Promise<void> }> {
  const proxy = createServer((request, response) => {
    const headers = { ...request.headers, authorization: `Bearer ${key}` };
    const passed = ask(
      { port: target.port, host: target.hostname, method: request.method, path: request.url, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on('error', () => response.destroy());
    // A client that leaves cancels what it asked for.
    response.on('close', () => passed.destroy());
    request.pipe(passed);
  });
  await listening(proxy);
  return { url: `http://localhost:${portOf(proxy)}/mcp`, close: () => closed(proxy) };
}

export async function listening(server: Server): Promise<void> {
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
}

export function portOf(server: Server): number {
  return (server.address() as { port: number }).port;
}

export async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
