import type { AttemptResult } from '../../src/webhooks/decideOutcome.ts';
import type { Sender, SendRequest } from '../../src/webhooks/send.ts';

export const ANSWERED: AttemptResult = {
  statusCode: 204,
  responseHeaders: {},
  responseBody: '',
  error: null,
  durationMs: 1,
  retryAfterSeconds: null,
};
export const FAILED: AttemptResult = { ...ANSWERED, statusCode: 500, error: 'status' };

interface Hanging {
  request: SendRequest;
  end(result: AttemptResult): void;
}

/** Sends nothing, notes what it was asked to send, and answers at once or when it is told to. */
export class ScriptedSender implements Sender {
  readonly sent: SendRequest[] = [];
  /** What is under way, the oldest first. */
  readonly hanging: Hanging[] = [];
  /** Of all moments, the most that were under way at once. */
  mostInFlight = 0;
  /** URLs that hang; to others it answers at once. */
  hangs: (url: string) => boolean = () => false;

  send(request: SendRequest): Promise<AttemptResult> {
    this.sent.push(request);
    if (!this.hangs(request.url)) return Promise.resolve(ANSWERED);
    return new Promise((end) => {
      this.hanging.push({ request, end });
      this.mostInFlight = Math.max(this.mostInFlight, this.hanging.length);
    });
  }

  /** Ends some of what hangs, to that URL or to any. */
  release(result: AttemptResult = ANSWERED, most = Number.POSITIVE_INFINITY, url?: string): void {
    const meant = this.hanging.filter(({ request }) => url === undefined || request.url === url).slice(0, most);
    for (const one of meant) {
      this.hanging.splice(this.hanging.indexOf(one), 1);
      one.end(result);
    }
  }

  /** Whatever hangs ends, and whatever comes is answered at once. */
  answerAll(): void {
    this.hangs = () => false;
    this.release();
  }

  /** How often each delivery was sent, to that URL or to any. */
  counts(url?: string): Map<string, number> {
    const counts = new Map<string, number>();
    for (const request of this.sent.filter((one) => url === undefined || one.url === url)) {
      const id = request.headers['SVC-Delivery-Id'] as string;
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    return counts;
  }

  async close(): Promise<void> {}
}
