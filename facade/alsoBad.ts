import { coerceInputValue } from 'graphql';
import { SERVICE_CHECKS } from '../schema/serviceChecks.ts';
import type { KeyPrincipal } from '../src/access/principal.ts';
import { CodedError, type FieldProblem } from '../src/kernel/errors.ts';
import { snakeCase } from '../src/kernel/snakeCase.ts';
import type { CompiledRoute } from './compileRoute.ts';

/**
 * What the service would refuse of the body's well-formed fields, when others have `problems`: a refusal lists every
 * bad field, also those whose badness only the project knows.
 */
export async function alsoBad(
  route: CompiledRoute,
  variables: Record<string, unknown>,
  problems: FieldProblem[],
  principal: KeyPrincipal | null,
): Promise<FieldProblem[]> {
  const check = SERVICE_CHECKS[route.id];
  if (!check || !principal || !route.bodyType) return [];
  const bad = new Set(problems.map(({ path }) => path.split('.')[0] ?? ''));
  const given = Object.entries(variables.input as object).filter(([name]) => !bad.has(snakeCase(name)));
  // What is missing was listed before.
  const input = coerceInputValue(Object.fromEntries(given), route.bodyType, () => {});
  try {
    await check(principal, { ...variables, input }, bad);
    return [];
  } catch (error) {
    return (error instanceof CodedError && error.fields) || [];
  }
}
