import type { Answered, Asked, Json } from './parts.ts';

/** Carries out operations of the API with the rights of the key that asks. */
export interface CodeClient {
  perform(operation: string, asked: Asked): Promise<Answered>;
  /** Told while a plan is applied: how many of its actions are done. */
  progress?(done: number, total: number): void;
  signal?: AbortSignal;
}

/** What a plan would do, by kinds of actions, and its text for people. */
export interface CodePlan {
  /** Actions and what they lead to; handed back to `apply` as it is. */
  plan: unknown;
  /** Records that applying it would change. */
  records: number;
  /** Records that it would archive or delete. */
  removals: number;
  conflicts: number;
  /** As `svc plan` prints it. */
  text: string;
  /** The same plan has the same digest; a target that changed since gives another. */
  digest: string;
}

/** Links as code: reads a document, compares it with the project, and carries out the difference. */
export interface CodeEngine {
  /** Throws errors with `problems` of `{path, message}` for a document that is not valid, and what an operation was refused with. */
  plan(
    document: string,
    options: { prune: boolean; adopt: boolean; teamId: string },
    client: CodeClient,
  ): Promise<CodePlan>;
  /** The operations that applying it carries out, with what they are asked. */
  writes(plan: unknown): { operation: string; body: Json }[];
  apply(plan: unknown, client: CodeClient): Promise<{ done: number; failed: { name: string; message: string }[] }>;
}
