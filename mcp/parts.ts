import type { KeyObject } from 'node:crypto';
import type { CodeEngine } from './codeEngine.ts';

/** JSON of many shapes. */
export type Json = Record<string, unknown>;

/** An operation of the REST API, as far as tools need it. */
export interface Operation {
  id: string;
  /** `resource.verb`. */
  call: string;
  api: string;
  method: string;
  path: string;
  tag: string;
  /** Null: any key. */
  scope: string | null;
  summary: string;
  description: string | null;
  params: { name: string; in: 'path' | 'query'; required: boolean; description: string | null; schema: Json }[];
  body: { mediaType: string; required: boolean; schema: Json } | null;
  answer: { kind: string; schema: Json | null };
  codes: readonly string[];
  danger: 'deletes' | 'stops' | 'sends' | 'reveals' | null;
  secret: boolean;
  rehearses: boolean;
  /** It takes an `Idempotency-Key`. */
  idempotent: boolean;
}

/** What the tools are computed from. Schemas refer to `#/components/schemas/…`. */
export interface ApiTable {
  version: string;
  operations: readonly Operation[];
  schemas: Record<string, Json>;
  /** The status of each error code. */
  errors: Record<string, number>;
}

export interface FieldProblem {
  path: string;
  message: string;
}

/** What an operation is asked. */
export interface Asked {
  path?: Record<string, string>;
  query?: Record<string, string>;
  /** JSON, or the text of the file that the operation takes. */
  body?: unknown;
  /** Rehearse it: keep nothing. */
  isDryRun?: boolean;
  idempotencyKey?: string | undefined;
}

/** A refusal with its code. */
export interface Refusal {
  code: string;
  message: string;
  fields?: readonly FieldProblem[] | undefined;
  retryAfterSeconds?: number | undefined;
  /** Whether it took effect is not known. */
  isEffectUnknown?: boolean;
}

/** What an operation answered. `body` is parsed JSON, the text of a file with lines, or the bytes of another one. */
export type Answered =
  | { ok: true; contentType: string; body: unknown; isReplayed: boolean; isTruncated?: boolean }
  | { ok: false; refusal: Refusal };

/** By which tool an operation is carried out, and for which program. */
export interface Through {
  tool: string;
  client: string | null;
  /** Aborted when the client no longer waits. */
  signal?: AbortSignal | undefined;
}

/** The key that asks, authenticated and counted, during one request. */
export interface Session {
  keyId: string;
  projectId: string;
  teamId: string;
  scopes: ReadonlySet<string>;
  requestId: string;
  /** What the program calls itself in HTTP; clients of older revisions say it nowhere else. */
  userAgent: string | null;
  /** Carries out one operation with the rights of the key. Never throws. */
  perform(operation: string, asked: Asked, through: Through): Promise<Answered>;
}

export interface WriteBudget {
  limit: number;
  remaining: number;
  resetSeconds: number;
}

/** Pages of documentation in Markdown. */
export interface Docs {
  topics(): readonly { name: string; title: string }[];
  /** The Markdown of a page; null if there is none of that name. */
  page(name: string): string | null;
  /** Names of pages that fit the words, the best first. */
  search(words: readonly string[]): readonly string[];
}

/** Everything that the server hands to this room. */
export interface Parts {
  api: ApiTable;
  baseUrl(): string;
  /** Changes of more records than this are confirmed. */
  confirmAbove(): number;
  /** Records that a key may change in an hour. May throw when the store does not answer. */
  budget: {
    left(keyId: string, limit?: number): Promise<WriteBudget>;
    /** Null: fewer are left than wanted, and none was taken. */
    spend(keyId: string, records: number, limit?: number): Promise<WriteBudget | null>;
    giveBack(keyId: string, records: number): Promise<void>;
  };
  /** To sign confirmations with: the current key first, then previous ones. */
  signingKeys(): readonly KeyObject[];
  /** True for the first caller with this name, in any process. May throw when the store does not answer. */
  claimOnce(name: string, endsAtMs: number): Promise<boolean>;
  now(): number;
  docs: Docs;
  /** Counts a call of a tool: `ok`, or the code of its error. */
  observe(tool: string, outcome: string): void;
  /** What a client is told of an error that was thrown; one that nobody expected is logged and masked. */
  refusalOf(error: unknown, requestId: string): Refusal;
  /** Plans and applies links as code; without it the tools of `code` are not offered. */
  code?: CodeEngine | undefined;
}
