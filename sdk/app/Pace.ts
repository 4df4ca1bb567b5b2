import { host } from './host.ts';
import type { SvcError } from './SvcError.ts';

/** The n-th wait is 1 to 2 times 2^n seconds, at most 5 minutes: apps that lost the same server come back apart. */
export function backoffMs(failures: number): number {
  return Math.min(2 ** failures, 150) * 1000 * (1 + Math.random());
}

/** When to send: soon after something happened, later after failures, never again with a key that was refused. */
export class Pace {
  /** Why nothing is sent any more, as a code. */
  stopped: string | null = null;
  /** The server asked to wait. */
  private isHeld = false;
  private failures = 0;
  private timer: unknown;

  constructor(
    private readonly send: () => void,
    private readonly soonMs: number,
    private readonly tell: (error: SvcError) => void,
  ) {}

  soon(): void {
    if (!this.timer && !this.stopped) this.wait(this.soonMs);
  }

  /** Whether something may be sent now; if so, what was planned is off. */
  begin(): boolean {
    if (this.stopped || this.isHeld) return false;
    this.cancel();
    return true;
  }

  succeeded(): void {
    this.failures = 0;
  }

  failed(error: SvcError): void {
    if (this.stopped) return;
    if (isRefusedKey(error)) {
      this.stop(error.code);
      this.tell(error);
      return;
    }
    if (!isPassing(error)) this.tell(error);
    const askedMs = (error.retryAfterSeconds || 0) * 1000;
    this.isHeld = askedMs > 0;
    this.wait(Math.max(backoffMs(this.failures++), askedMs));
  }

  stop(why: string): void {
    this.stopped = why;
    this.cancel();
  }

  private wait(ms: number): void {
    this.cancel();
    this.timer = host.setTimeout(() => {
      this.timer = undefined;
      this.isHeld = false;
      this.send();
    }, ms);
  }

  private cancel(): void {
    host.clearTimeout(this.timer);
    this.timer = undefined;
  }
}

/** Worth a repeat by itself: it is about the network, or a server that has other things to do. */
export function isPassing({ code, status }: SvcError): boolean {
  return status >= 500 || [0, 408, 425, 429].includes(status) || code === 'bad_response';
}

function isRefusedKey({ status }: SvcError): boolean {
  return status === 401 || status === 403;
}
