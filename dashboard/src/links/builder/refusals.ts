import { codeOf, type FieldProblem, GraphqlError, pathOf } from '../../kernel/GraphqlError.ts';

const known = new WeakMap<Error, FieldProblem[]>();

/** The fields for which a link was refused; the same list for the same refusal. */
export function refusedFields(refusal: Error): FieldProblem[] {
  const fields = known.get(refusal) ?? fieldsOf(refusal);
  known.set(refusal, fields);
  return fields;
}

function fieldsOf(refusal: Error): FieldProblem[] {
  if (codeOf(refusal) === 'slug_taken') return [{ path: 'input.slug', message: refusal.message }];
  return refusal instanceof GraphqlError ? [...refusal.fields] : [];
}

/** A refusal as sentences, each with its field where it has one: not every field of the input is in the form. */
export function messagesOf(refusal: Error): string[] {
  const fields = refusedFields(refusal);
  return fields.length > 0 ? fields.map((field) => `${pathOf(field)}: ${field.message}`) : [refusal.message];
}
