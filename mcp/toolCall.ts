import { withLinkIds } from './linkReference.ts';
import type { Narrowing } from './narrowing.ts';
import type { Answered, Asked, Json, Operation, Parts, Session } from './parts.ts';
import { refuse, ToolRefusal } from './results.ts';
import type { CompiledTool } from './tool.ts';

/** What the protocol tells of one call of a tool. */
export interface Asking {
  client: string | null;
  signal: AbortSignal;
  /** The client can show a person a form. */
  canAsk: boolean;
  /** What the person answered, as the client sent it. */
  responses: Record<string, unknown> | undefined;
  /** What the client handed back from the call before. */
  requestState: string | undefined;
  /** Tells the client how far the work is, if it wants to know. */
  progress(done: number, total: number): void;
}

/** One call of a tool: its arguments, who asks, and the way to the operations. */
export class ToolCall {
  readonly parts: Parts;
  readonly session: Session;
  readonly tool: CompiledTool;
  readonly args: Json;
  readonly narrowing: Narrowing;
  readonly asking: Asking;

  constructor(
    parts: Parts,
    session: Session,
    { tool, args, narrowing, asking }: { tool: CompiledTool; args: Json; narrowing: Narrowing; asking: Asking },
  ) {
    this.parts = parts;
    this.session = session;
    this.tool = tool;
    this.args = args;
    this.narrowing = narrowing;
    this.asking = asking;
  }

  /** An argument as a text; undefined when it was not given. */
  text(name: string): string | undefined {
    const value = this.args[name];
    return value === undefined ? undefined : String(value);
  }

  /** Those of the arguments that were given, as a query. */
  query(...names: string[]): Record<string, string> {
    return Object.fromEntries(
      names.flatMap((name) => (this.args[name] === undefined ? [] : [[name, String(this.args[name])]])),
    );
  }

  may(scope: string | null): boolean {
    return scope === null || this.session.scopes.has(scope);
  }

  operation(id: string): Operation {
    const operation = this.parts.api.operations.find((candidate) => candidate.id === id);
    if (!operation) throw new Error(`There is no operation ${id}`);
    return operation;
  }

  /** Carries out an operation and returns what it answered. Throws its refusal. */
  async ask(operation: string, asked: Asked = {}): Promise<Json> {
    return (await this.answer(operation, asked)).body as Json;
  }

  /** Like `ask`, with what is known about the answer. */
  async answer(operation: string, asked: Asked = {}): Promise<Extract<Answered, { ok: true }>> {
    const answered = await this.tryOut(operation, asked);
    if (answered.ok) return answered;
    const { refusal } = answered;
    throw new ToolRefusal(refusal, refusal.isEffectUnknown ? { state: 'whether it took effect is not known' } : {});
  }

  /** Carries out an operation, in which links may be named by their places; a refusal is a value. */
  async tryOut(id: string, asked: Asked = {}): Promise<Answered> {
    const { signal, client } = this.asking;
    if (signal.aborted) refuse('cancelled', 'The client cancelled the call.');
    const named = await this.withLinkIds(id, asked);
    if ('refusal' in named) return { ok: false, refusal: named.refusal };
    return this.session.perform(id, named, { tool: this.tool.name, client, signal });
  }

  private async withLinkIds(id: string, asked: Asked): Promise<Asked | ToolRefusal> {
    try {
      return await withLinkIds(this, this.operation(id), asked);
    } catch (error) {
      if (error instanceof ToolRefusal) return error;
      throw error;
    }
  }
}
