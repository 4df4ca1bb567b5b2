import type { Assumptions } from './assumptions.ts';
import type { Draws } from './Draws.ts';
import type { ClickEvent, OpenEvent } from './events.ts';

/** What phones carry from a click to the app, and what pages of ours tell meanwhile. */
export class Bearer {
  readonly #tokens = new Map<ClickEvent, string>();

  constructor(
    private readonly draws: Draws,
    private readonly assumed: Assumptions,
  ) {}

  /** Keeps the token of where the click led to, and gives what the page there tells of the device; null: nothing. */
  led(click: ClickEvent, location: string): { path: string; body: string } | null {
    const token = /1(?:\.[0-9a-z]{26}){3}\.[0-9a-z]+\.[\w-]{22}/.exec(location)?.[0];
    if (token === undefined) return null;
    this.#tokens.set(click, token);
    const isPage = location.includes('/_open?');
    if (!isPage || !click.device || !this.draws.chance(this.assumed.pageTells)) return null;
    const { timezone, screen } = click.device.told;
    return { path: `/_open/device?t=${token}`, body: JSON.stringify({ timezone, screen }) };
  }

  /** What the app adds to its opening. */
  brings({ origin, phone, atMs }: OpenEvent): object {
    const token = origin && this.#tokens.get(origin);
    if (!token) return {};
    const text = `svc_click=${token}`;
    if (phone.platform === 'ios') {
      return this.draws.chance(this.assumed.clipboardAllowed) ? { clipboard: `https://go.example.com/?${text}` } : {};
    }
    if (!this.draws.chance(this.assumed.referrerArrives)) return {};
    const begunMs = origin.atMs + (atMs - origin.atMs) / 2;
    const referrerMs = origin.atMs + 1000;
    return {
      install_referrer: text,
      referrer_click_at: new Date(referrerMs).toISOString(),
      install_begin_at: new Date(Math.max(begunMs, referrerMs)).toISOString(),
    };
  }
}
