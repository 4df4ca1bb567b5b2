import { type Click, encodeClick } from '../../src/clicks/click.ts';
import { startDrain } from '../../src/clicks/drain.ts';
import { LINES_PER_CHUNK } from '../../src/clicks/journal.ts';
import type { Segments } from '../../src/clicks/moveSegment.ts';
import { clock } from '../../src/kernel/clock.ts';
import type { ClickStream } from './clickStream.ts';

export interface Loaded {
  clicks: number;
  /** Of the journal's lines, newlines included. */
  bytes: number;
  generateMs: number;
  drainMs: number;
  buildMs: number;
  copyMs: number;
}

export interface LoadOptions {
  fromMs: number;
  toMs: number;
  /** Works off what the drain leaves; runs after each UTC day and at the end. Unset: it stays as the drain leaves it. */
  build?: () => Promise<void>;
  /** Gets the same clicks. */
  copy(clicks: Click[]): Promise<void>;
  /** Where the drain lays aside what the store refuses. */
  folder: string;
  /** Called every `reportEach` clicks with the figures since the last call. */
  report?: (since: Loaded, all: Loaded) => void;
  reportEach?: number;
}

const SEGMENT_LINES = 20_000;
const DAY_MS = 86_400_000;
/** So long after midnight no click of the day before is waited for. */
const SETTLED_MS = 300_000;
const NEVER_MS = 2_000_000_000;
const NOTHING: Loaded = { clicks: 0, bytes: 0, generateMs: 0, drainMs: 0, buildMs: 0, copyMs: 0 };

/** Brings a stream into the open store by the product's own drain. What each step takes is measured apart. */
export async function loadClicks(
  stream: ClickStream,
  { fromMs, toMs, build, copy, folder, report, reportEach = 1_000_000 }: LoadOptions,
): Promise<Loaded> {
  const all = { ...NOTHING };
  let reported = { ...all };
  const waiting: { lines: string[] | null } = { lines: null };
  const drain = startDrain({ journal: inMemory(waiting), everyMs: NEVER_MS, folder });
  try {
    for (const { clicks, lines, bytes, generateMs, endsDay } of segments(stream, fromMs, toMs)) {
      waiting.lines = lines;
      all.generateMs += generateMs;
      all.drainMs += await timed(() => drain.drainNow());
      if (waiting.lines) throw new Error('The drain left clicks behind: its warning is in the log');
      all.copyMs += await timed(() => copy(clicks));
      if (endsDay && build) {
        const dayEndMs = Math.ceil((clicks.at(-1)?.occurredAt ?? 0) / DAY_MS) * DAY_MS;
        clock.use({ now: () => dayEndMs + SETTLED_MS });
        all.buildMs += await timed(build);
      }
      all.clicks += lines.length;
      all.bytes += bytes;
      if (Math.floor(all.clicks / reportEach) > Math.floor(reported.clicks / reportEach)) {
        report?.(difference(all, reported), all);
        reported = { ...all };
      }
    }
  } finally {
    await drain.stop();
    clock.reset();
  }
  if (build) all.buildMs += await timed(build);
  return all;
}

/** Gathers hours to segments; none goes over the midnight of UTC. */
function* segments(stream: ClickStream, fromMs: number, toMs: number) {
  let clicks: Click[] = [];
  let startedAt = performance.now();
  for (const hour of stream(fromMs, toMs)) {
    const last = hour.at(-1)?.occurredAt ?? 0;
    for (const click of hour) clicks.push(click);
    const endsDay = Math.floor((last + DAY_MS / 24) / DAY_MS) > Math.floor(last / DAY_MS);
    if (clicks.length < SEGMENT_LINES && !endsDay) continue;
    yield encoded(clicks, startedAt, endsDay);
    clicks = [];
    startedAt = performance.now();
  }
  if (clicks.length > 0) yield encoded(clicks, startedAt, false);
}

function encoded(clicks: Click[], startedAt: number, endsDay: boolean) {
  const lines = clicks.map(encodeClick);
  const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  return { clicks, lines, bytes, endsDay, generateMs: performance.now() - startedAt };
}

function inMemory(waiting: { lines: string[] | null }): Segments {
  return {
    seal: async () => (waiting.lines ? ['segment'] : []),
    async *read() {
      const lines = waiting.lines ?? [];
      for (let at = 0; at < lines.length; at += LINES_PER_CHUNK) yield lines.slice(at, at + LINES_PER_CHUNK);
    },
    async remove() {
      waiting.lines = null;
    },
  };
}

function difference(all: Loaded, before: Loaded): Loaded {
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, value - before[name as keyof Loaded]]),
  ) as unknown as Loaded;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
