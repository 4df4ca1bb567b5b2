import type { FieldProblem } from '../../kernel/errors.ts';
import type { LinkChange, LinkInput } from './linkInput.ts';

/** A link of a list or a file, as on the wire (snake_case, times as text). */
export type LinkRow = Record<string, unknown>;

export type ParsedRow<Input> = { input: Input } | { problems: FieldProblem[] };

export interface LinkRules {
  create(row: LinkRow): ParsedRow<LinkInput>;
  update(row: LinkRow): ParsedRow<LinkChange>;
}

let rules: LinkRules | null = null;

/** Takes the rules of POST and PATCH /links, which the schema declares; the composition root brings them. */
export function useLinkRules(given: LinkRules): void {
  rules = given;
}

/** One link by the very rules of POST (`create`) or PATCH (`update`) /links: its input, or every bad field. */
export function parseLinkRow<Kind extends keyof LinkRules>(kind: Kind, row: LinkRow): ReturnType<LinkRules[Kind]> {
  if (!rules) throw new Error('useLinkRules() has not run');
  return rules[kind](row) as ReturnType<LinkRules[Kind]>;
}
