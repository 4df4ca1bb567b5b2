import type { ServerResponse } from 'node:http';
import { ALIVE, END_MS, messageOf, RETRY, STREAM_HEADERS } from '../kernel/serverSentEvents.ts';
import type { Listener, LiveClick } from './ClickFeed.ts';

/** A client with more than this unread is sent the number of skipped clicks instead of the clicks. */
const MAX_UNREAD_BYTES = 65_536;
const MAX_CLICKS_A_SECOND = 100;

/** Server-sent events of clicks for one client, limited in rate and in the bytes that a slow client has not read. */
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

  /** Starts the response. Further calls do nothing. */
  begin(): void {
    if (this.#response.headersSent || this.#isOver()) return;
    this.#response.writeHead(200, STREAM_HEADERS);
    this.#response.write(RETRY);
  }

  onClicks(clicks: readonly LiveClick[], skipped: number): void {
    this.begin();
    const shown = this.#isBehind() ? [] : clicks.slice(clicks.length - Math.min(clicks.length, this.#allowance()));
    this.#skipped += skipped + clicks.length - shown.length;
    this.#sentThisSecond += shown.length;
    this.#send(shown.map(eventOf).join(''));
  }

  /** Sends a comment, which keeps proxies from closing an idle connection. */
  beat(): void {
    this.#send(ALIVE);
  }

  end(): void {
    // An ended response loses its reference to the socket, which a client that does not close its side keeps open.
    const { socket } = this.#response;
    this.#response.end();
    setTimeout(() => socket?.destroy(), END_MS).unref();
  }

  /** The skipped clicks were older than `events`, so they are reported first. */
  #send(events: string): void {
    if (this.#isOver() || this.#isBehind()) return;
    const skipped = this.#skipped > 0 ? messageOf({ event: 'skipped', data: `{"count":${this.#skipped}}` }) : '';
    this.#skipped = 0;
    if (skipped !== '' || events !== '') this.#response.write(skipped + events);
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
    return this.#response.writableLength > MAX_UNREAD_BYTES;
  }

  #isOver(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }
}

function eventOf({ id, data }: LiveClick): string {
  return messageOf({ id, event: 'click', data: JSON.stringify(data) });
}
