/** A JSON value as files and answers of the server have it. */
export type Fields = Record<string, unknown>;

/** A file of a stack: its name for people, and its text. */
export interface SourceFile {
  name: string;
  text: string;
}

/** Where something stands: the first line and column are 1. */
export interface Position {
  file: string;
  line: number;
  column: number;
}

/** What is wrong with a file, and where. */
export interface Problem extends Position {
  /** The field with dots between its parts; empty for the file as a whole. */
  path: string;
  /** What is wrong and what to do, as a sentence. */
  message: string;
}

/** A secret that the file only points to; its value is read at apply. */
export type SecretReference = { env: string } | { file: string };

export const KINDS = ['tag', 'domain', 'link', 'webhook'] as const;
export type Kind = (typeof KINDS)[number];

/** A thing as the files want it. */
export interface Wanted {
  kind: Kind;
  /** Its name in the file: of a tag its name, of a domain its host name. */
  name: string;
  /** The identity of links and webhooks: `<stack>/<name>`, or the one that the file gives. */
  externalId: string | null;
  /** The fields that are given, defaults of the files included; without identity, secrets and lists to ignore. */
  fields: Fields;
  password: SecretReference | null;
  /** Fields that others may change. */
  ignore: string[];
  file: string;
  line: number;
}

export interface Moved {
  from: string;
  to: string;
  file: string;
  line: number;
}

/** Everything that the files of a stack say. */
export interface Stack {
  name: string;
  files: number;
  wanted: Wanted[];
  moved: Moved[];
}

/** A thing as the server has it, in the spelling of REST. */
export type Row = Fields & { id: string; updated_at: string; managed_by: string | null };

/** What the server has that a plan must look at: what the stack owns, and what is in its way. */
export interface Actual {
  project: { id: string; name: string; defaultDomain: string };
  links: Row[];
  tags: Row[];
  domains: Row[];
  webhooks: Row[];
}

export type Verb = 'create' | 'change' | 'move' | 'adopt' | 'archive' | 'delete' | 'release' | 'conflict';

/** A field that differs; values as on the wire. Of passwords only `set` and `unset`. */
export interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

export interface Action {
  verb: Verb;
  kind: Kind;
  name: string;
  /** What it is, in a few words: of a new link its address and destination. Empty for changes. */
  title: string;
  /** Of the thing on the server; null when it will be new. */
  id: string | null;
  /** Of the thing on the server when the plan was made. */
  updatedAt: string | null;
  changes: Change[];
  /** What apply sends, secrets left out; empty for conflicts. */
  set: Fields;
  password: SecretReference | null;
  /** Links of a later wave take addresses that links of earlier ones give away. */
  wave: number;
  /** Of a conflict, why and what to do; of others a remark; null without one. */
  note: string | null;
  /** Where the files name it; null for what they name no longer. */
  file: string | null;
  line: number | null;
}

export interface PlanOptions {
  prune?: 'archive' | 'delete' | null;
  /** Take over what nobody manages. */
  adopt?: boolean;
  /** Take over what this other stack manages: for a stack that gets another name. */
  fromStack?: string | null;
  allowMany?: boolean;
  /** Write passwords anew, although nobody can tell whether they differ. */
  updateSecrets?: boolean;
}

export interface Counts {
  create: number;
  change: number;
  move: number;
  adopt: number;
  archive: number;
  delete: number;
  release: number;
  conflict: number;
  unchanged: number;
  /** Owned and no longer in the file, and kept because nobody asked to prune. */
  kept: number;
}

export interface Plan {
  version: 1;
  stack: string;
  project: { id: string; name: string };
  files: number;
  /** Links that the files have. */
  links: number;
  options: { prune: 'archive' | 'delete' | null; adopt: boolean; fromStack: string | null; updateSecrets: boolean };
  counts: Counts;
  actions: Action[];
  warnings: string[];
  /** Why the plan is refused without `allowMany`; null when it is not. */
  guard: string | null;
  /** Of the actions and the state of their targets: another plan with the same digest does the same. */
  digest: string;
}
