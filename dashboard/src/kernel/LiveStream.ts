/** What `link.clicked` holds, as the stream sends it. */
export interface LiveClick {
  click: {
    id: string;
    occurred_at: string;
    traffic_class: 'human' | 'bot' | 'scanner';
    country: string | null;
    city: string | null;
    platform: string;
    device: string;
    browser: string | null;
    referrer_host: string | null;
    rule: string | null;
  };
  link: { id: string; domain: string; slug: string; short_url: string };
  /** The sign by which it is no person's click; null: there is none. */
  why: string | null;
}

/** Receives the clicks of a project, oldest first. */
export interface LiveListener {
  onClicks(clicks: readonly LiveClick[]): void;
  onSkipped(count: number): void;
  onOpen(isOpen: boolean): void;
}

/** What the leading tab tells the others, and what a new one asks. */
type Message =
  | { kind: 'clicks'; clicks: readonly LiveClick[] }
  | { kind: 'skipped'; count: number }
  | { kind: 'open'; isOpen: boolean }
  | { kind: 'hello' };

/** A tab that joins gets so many of the newest clicks. */
const MOST_KEPT = 50;
/** After a refusal; the browser itself reconnects after a connection that broke. */
const RETRY_MS = [5_000, 15_000, 60_000];

/**
 * The clicks of a project for all tabs of this browser. One visible tab holds a lock and the connection, and passes on what it
 * receives. A tab that is hidden lets go of both, so that the server is asked for nothing that nobody sees.
 */
export class LiveStream {
  static readonly #streams = new Map<string, LiveStream>();

  readonly #projectId: string;
  readonly #listeners = new Set<LiveListener>();
  readonly #channel: BroadcastChannel;
  #source: EventSource | null = null;
  #release: (() => void) | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #refusals = 0;
  #kept: readonly LiveClick[] = [];
  #isOpen = false;

  /** Returns what ends it. */
  static join(projectId: string, listener: LiveListener): () => void {
    const stream = LiveStream.#streams.get(projectId) ?? new LiveStream(projectId);
    LiveStream.#streams.set(projectId, stream);
    stream.#listeners.add(listener);
    listener.onClicks(stream.#kept);
    listener.onOpen(stream.#isOpen);
    return () => {
      stream.#listeners.delete(listener);
      if (stream.#listeners.size > 0) return;
      LiveStream.#streams.delete(projectId);
      stream.#close();
    };
  }

  private constructor(projectId: string) {
    this.#projectId = projectId;
    this.#channel = new BroadcastChannel(`svc.clicks.${projectId}`);
    this.#channel.onmessage = ({ data }: MessageEvent<Message>) => this.#hear(data);
    document.addEventListener('visibilitychange', this.#follow);
    this.#follow();
  }

  #close(): void {
    document.removeEventListener('visibilitychange', this.#follow);
    this.#letGo();
    this.#channel.close();
  }

  /** Asks for the lead while the tab is visible, and lets go of it while it is not. */
  #follow = (): void => {
    if (document.visibilityState === 'hidden') {
      this.#letGo();
      return;
    }
    if (this.#release) return;
    this.#post({ kind: 'hello' });
    const waiting = new AbortController();
    let end = () => {};
    this.#release = () => {
      waiting.abort();
      end();
    };
    const lead = () =>
      new Promise<void>((resolve) => {
        if (waiting.signal.aborted) return resolve();
        end = resolve;
        this.#connect();
      });
    // Without locks, as on plain http by address, each tab has a connection of its own.
    if (!navigator.locks) void lead();
    else navigator.locks.request(`svc.clicks.${this.#projectId}`, { signal: waiting.signal }, lead).catch(() => {});
  };

  #letGo(): void {
    const isLeading = this.#source !== null;
    clearTimeout(this.#retry);
    this.#source?.close();
    this.#source = null;
    if (isLeading) this.#tell({ kind: 'open', isOpen: false });
    this.#release?.();
    this.#release = null;
  }

  #connect(): void {
    const parameters = new URLSearchParams({ project_id: this.#projectId });
    // Goes on behind the last click that is known. The browser does so itself, but not from an EventSource that is made anew.
    const last = this.#kept.at(-1)?.click.id;
    if (last !== undefined) parameters.set('last_event_id', last);
    const source = new EventSource(`/graphql/clicks?${parameters}`);
    this.#source = source;
    source.onopen = () => {
      this.#refusals = 0;
      this.#tell({ kind: 'open', isOpen: true });
    };
    source.onerror = () => {
      this.#tell({ kind: 'open', isOpen: false });
      if (source.readyState !== EventSource.CLOSED) return;
      const wait = RETRY_MS[Math.min(this.#refusals, RETRY_MS.length - 1)];
      this.#refusals += 1;
      this.#retry = setTimeout(() => this.#connect(), wait);
    };
    source.addEventListener('click', ({ data }) => this.#tell({ kind: 'clicks', clicks: [JSON.parse(data)] }));
    source.addEventListener('skipped', ({ data }) => this.#tell({ kind: 'skipped', count: JSON.parse(data).count }));
  }

  /** To the lists of this tab and to the other tabs. */
  #tell(message: Message): void {
    this.#hear(message);
    this.#post(message);
  }

  #post(message: Message): void {
    this.#channel.postMessage(message);
  }

  #hear(message: Message): void {
    switch (message.kind) {
      case 'hello':
        if (!this.#source) break;
        this.#post({ kind: 'open', isOpen: this.#isOpen });
        this.#post({ kind: 'clicks', clicks: this.#kept });
        break;
      case 'clicks':
        this.#keep(message.clicks);
        break;
      case 'skipped':
        this.#each((listener) => listener.onSkipped(message.count));
        break;
      case 'open':
        this.#isOpen = message.isOpen;
        this.#each((listener) => listener.onOpen(message.isOpen));
        break;
    }
  }

  /** What another tab hands on to a new one is known to all others. */
  #keep(clicks: readonly LiveClick[]): void {
    const known = new Set(this.#kept.map(({ click }) => click.id));
    const fresh = clicks.filter(({ click }) => !known.has(click.id));
    this.#kept = [...this.#kept, ...fresh].slice(-MOST_KEPT);
    this.#each((listener) => listener.onClicks(fresh));
  }

  #each(tell: (listener: LiveListener) => void): void {
    for (const listener of this.#listeners) tell(listener);
  }
}
