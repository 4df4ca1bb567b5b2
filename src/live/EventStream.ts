import type { ServerResponse } from 'node:http';
import type { Listener } from './ClickFeed.ts';
import type { LiveClick } from './readClicks.ts';

const RECONNECT_MS = 3000;
/** A reader that leaves more than this untaken is told how much it missed instead of being sent more. */
const MAX_UNTAKEN_BYTES = 65_536;
const MAX_CLICKS_A_SECOND = 100;
/** A reader that takes nothing must not hold up the end. */
const END_MS = 1000;

/** Server-sent events of clicks to one reader, with bounds on how many and on what waits for a slow one. */
export class EventStream implements Listener {
  readonly #response: ServerResponse;
  #skipped = 0;
  /** Of the monotonic clock. */
  #second = 0;
  #sentThisSecond = 0;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('error', () => {});
    response.on('drain', () => this.#send(''));
  }

  /** Begins the answer. Once more does nothing. */
  begin(): void {
    if (this.#response.headersSent || this.#isOver()) return;
    this.#response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      // Proxies would keep events until there are enough of them.
      'X-Accel-Buffering': 'no',
      Connection: 'close',
    });
    this.#response.write(`retry: ${RECONNECT_MS}\n\n`);
  }

  hear(clicks: readonly LiveClick[], skipped: number): void {
    this.begin();
    const shown = this.#isBehind() ? [] : clicks.slice(clicks.length - Math.min(clicks.length, this.#allowance()));
    this.#skipped += skipped + clicks.length - shown.length;
    this.#sentThisSecond += shown.length;
    this.#send(shown.map(eventOf).join(''));
  }

  /** A sign of life, which keeps proxies from closing a silent connection. */
  beat(): void {
    this.#send(': alive\n\n');
  }

  end(): void {
    // An answer that is written forgets its socket, and a reader that does not close its side keeps that open.
    const { socket } = this.#response;
    this.#response.end();
    setTimeout(() => socket?.destroy(), END_MS).unref();
  }

  /** What was skipped came before `events`. */
  #send(events: string): void {
    if (this.#isOver() || this.#isBehind()) return;
    const news = this.#skipped > 0 ? `event: skipped\ndata: {"count":${this.#skipped}}\n\n` : '';
    this.#skipped = 0;
    if (news !== '' || events !== '') this.#response.write(news + events);
  }

  #allowance(): number {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#sentThisSecond = 0;
    }
    return MAX_CLICKS_A_SECOND - this.#sentThisSecond;
  }

  #isBehind(): boolean {
    return this.#response.writableLength > MAX_UNTAKEN_BYTES;
  }

  #isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }
}

function eventOf({ id, data }: LiveClick): string {
  return `event: click\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;
}
