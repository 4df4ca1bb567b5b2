import type { CallToolResult, InputRequiredResult } from '@modelcontextprotocol/server';
import type { Json, Operation } from './parts.ts';
import type { ToolCall } from './toolCall.ts';

/** Groups of tools, which the URL can choose. */
export const TOOLSETS = ['core', 'webhooks', 'domains', 'apps', 'code'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/**
 * An argument of a tool: a schema of its own, or one picked from an operation, `listLinks.search`, with what differs. A
 * string alone picks and changes nothing.
 */
export type Argument = string | ({ from?: string } & Json);

/** A tool, as a row of the table. */
export interface Tool {
  name: string;
  toolset: Toolset;
  description: string;
  /** The operations that it carries out; the first says which scope it needs. */
  operations: readonly string[];
  /** Where it is not that of the first operation. Null: any key. */
  scope?: string | null;
  /** `destroys`: it may delete or stop something. */
  does: 'reads' | 'writes' | 'destroys';
  /** It reaches outside. */
  isOpenWorld?: true;
  /** Calling it twice changes nothing more. */
  isIdempotent?: true;
  arguments: Record<string, Argument>;
  required?: readonly string[];
  /** How to get less, as the end of a sentence. */
  narrow?: string;
  run(call: ToolCall): Promise<Ran>;
}

/** A value that becomes a result within bounds, or a result as it is. */
export type Ran = { value: Json } | { result: CallToolResult | InputRequiredResult };

/** A tool with what is computed from its operations. */
export interface CompiledTool extends Tool {
  needs: string | null;
  inputSchema: { type: 'object'; properties: Record<string, Json>; required?: string[] };
  /** Every field of the arguments that is wrong, in words. */
  check(args: Json): { path: string; message: string }[];
  uses: readonly Operation[];
}
