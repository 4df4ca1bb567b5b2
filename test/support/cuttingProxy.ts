import { type AddressInfo, createServer, connect as open, type Socket } from 'node:net';

export interface CuttingProxy {
  origin: string;
  /** How many connections were cut. */
  cuts(): number;
  close(): Promise<void>;
}

/**
 * A proxy in front of a product on this machine that ends each connection so long after its first answer, whatever is on its way:
 * a busy machine may not answer at all in that time.
 */
export async function startCuttingProxy(port: number, afterMs: number): Promise<CuttingProxy> {
  let cuts = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const product = open(port, '127.0.0.1');
    const ends = [client, product];
    const end = () => {
      for (const socket of ends) socket.destroy();
    };
    let timer: NodeJS.Timeout | undefined;
    product.once('data', () => {
      timer = setTimeout(() => {
        cuts += 1;
        end();
      }, afterMs);
    });
    for (const socket of ends) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        clearTimeout(timer);
        sockets.delete(socket);
        end();
      });
    }
    // The product answers to its own name alone.
    client.on('data', (bytes) => {
      product.write(bytes.toString('latin1').replace(/^Host: .*$/im, `Host: localhost:${port}`), 'latin1');
    });
    product.pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => cuts,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
