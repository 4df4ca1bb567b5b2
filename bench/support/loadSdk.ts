import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';

/** What one kind of request came to. */
export interface SdkLoad {
  perSecond: number;
  p50: number;
  p99: number;
  /** Answers that say `"matched":true`. */
  matched: number;
  answers: number;
}

export interface SdkRequest {
  /** Below /v1/sdk. */
  path: string;
  /** The client's address, as a proxy tells it. */
  address: string;
  body: object;
}

const CONNECTIONS = 32;

/** Asks again and again, each time something else, for so many seconds or until there is nothing left to ask. */
export async function loadSdk(
  origin: string,
  key: string,
  next: (at: number) => SdkRequest,
  { seconds, most }: { seconds: number; most?: number },
): Promise<SdkLoad> {
  let sent = 0;
  let matched = 0;
  const run = autocannon({
    url: origin,
    connections: CONNECTIONS,
    ...(most === undefined ? { duration: seconds } : { amount: most }),
    requests: [
      {
        method: 'POST',
        setupRequest(request) {
          const { path, address, body } = next(sent);
          sent += 1;
          const headers = { 'X-SVC-Key': key, 'Content-Type': 'application/json', 'X-Forwarded-For': address };
          return { ...request, path: `/v1/sdk${path}`, headers, body: JSON.stringify(body) };
        },
        onResponse(_, body) {
          if (body.includes('"matched":true')) matched += 1;
        },
      },
    ],
  });
  const { requests, latency, non2xx, errors, duration } = await run;
  if (non2xx > 0 || errors > 0) throw new Error(`${non2xx} refused, ${errors} errors`);
  const perSecond = Math.round(requests.total / duration);
  return { perSecond, p50: latency.p50, p99: latency.p99, matched, answers: requests.total };
}

/** Of 16 million; the same number gives the same. */
export function addressOf(number: number): string {
  return `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;
}

/** What an iPhone tells of itself when an app is opened. */
export function openingOf(more: object = {}): object {
  return {
    install_id: randomUUID(),
    first_open: true,
    platform: 'ios',
    app_version: '1.4.0',
    os_version: '18.5',
    device_model: 'iPhone15,2',
    language: 'de-DE',
    timezone: 'Europe/Berlin',
    screen: { width: 393, height: 852, scale: 3 },
    ...more,
  };
}
