import autocannon, { type Request } from 'autocannon';

/** As many people's browsers keep open at once. */
const CONNECTIONS = 64;

export interface Load {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  total: number;
}

/** How long it goes on, or how many requests in all. */
export type Extent = { seconds: number } | { amount: number };

/** Asks as fast as answers come. Each connection repeats a list of its own, so that they do not walk through one together. */
export async function loadRedirects(port: number, requests: Request[], extent: Extent): Promise<Load> {
  let connected = 0;
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/`,
    connections: CONNECTIONS,
    ...('seconds' in extent ? { duration: extent.seconds } : { amount: extent.amount }),
    setupClient: (client) => {
      const at = connected++ % CONNECTIONS;
      const own = requests.length < CONNECTIONS ? requests : requests.filter((_, index) => index % CONNECTIONS === at);
      client.setRequests(own.map((request) => ({ ...request })));
    },
  });
  if (result['3xx'] !== result.requests.total || result.errors > 0) {
    const { '3xx': redirects, '2xx': ok, '4xx': refused, '5xx': failed, errors } = result;
    throw new Error(`Not only redirects: ${JSON.stringify({ redirects, ok, refused, failed, errors })}`);
  }
  return {
    perSecond: Math.round(result.requests.total / result.duration),
    p50: result.latency.p50,
    p99: result.latency.p99,
    total: result.requests.total,
  };
}
