import type { FetchLike, SvcStorage } from './types.ts';

interface EventSource {
  addEventListener?(type: string, listener: () => void): void;
  removeEventListener?(type: string, listener: () => void): void;
}

/** What is asked of the host. All but the timers may be missing: React Native has no document, Node no localStorage. */
interface Host extends EventSource {
  setTimeout(callback: () => void, ms: number): unknown;
  clearTimeout(timer: unknown): void;
  fetch?: FetchLike;
  AbortController?: new () => { signal: unknown; abort(): void };
  crypto?: { randomUUID?(): string; getRandomValues?(bytes: Uint8Array): Uint8Array };
  /** Reading it throws where cookies are blocked. */
  localStorage?: SvcStorage;
  navigator?: {
    language?: string;
    product?: string;
    locks?: { request<Result>(name: string, job: () => Promise<Result>): Promise<Result> };
  };
  document?: EventSource & { visibilityState?: string };
  screen?: { width: number; height: number };
  devicePixelRatio?: number;
  Capacitor?: { getPlatform?(): string };
}

export const host = globalThis as unknown as Host;
