import { knownFields, toGraph } from '../schema/inputSchema.ts';
import type { FieldProblem } from '../src/kernel/errors.ts';
import { snakeCase } from '../src/kernel/wire.ts';
import { type CompiledRoute, DRY_RUN } from './route.ts';

/** The parts of a request, unchecked. */
interface Sent {
  path: Record<string, string>;
  query: URLSearchParams;
  /** Undefined when there was no body. */
  body: unknown;
}

/** What a document is run with. */
interface Bound {
  variables: Record<string, unknown>;
  /** Every bad field and parameter, in the wire's spelling. */
  problems: FieldProblem[];
  /** The caller wants to know what would happen. */
  isDryRun: boolean;
}

/** The project that a key, or the address of a page, implies. */
type Implied = { projectId: string } | null;

/** The variables of the document: path, query, body, and what the key implies. */
export function bind(route: CompiledRoute, sent: Sent, principal: Implied): Bound {
  const { ignoresUnknown } = route.on;
  const { query, repeated } = ignoresUnknown ? { query: {}, repeated: [] } : singleValues(sent.query);
  const body = ignoresUnknown && route.bodyType ? knownFields(sent.body ?? {}, route.bodyType) : (sent.body ?? {});
  const problems: FieldProblem[] = [...repeated, ...queryProblems(route, query), ...route.validateBody(body)];
  const variables = variablesOf(route, sent.path, query, body, principal);
  return { variables, problems, isDryRun: route.rehearses === true && String(query[DRY_RUN.name]) === 'true' };
}

const NO_REHEARSAL =
  'This operation cannot be rehearsed, because it reaches outside or starts a job. Nothing was done; leave dry_run out.';

function queryProblems(route: CompiledRoute, query: Record<string, unknown>): FieldProblem[] {
  const problems = route.validateQuery(query);
  if (route.method === 'GET' || route.rehearses) return problems;
  return problems.map((problem) => {
    const isUnknown = problem.path === DRY_RUN.name && problem.rule === 'additionalProperties';
    return isUnknown ? { ...problem, message: NO_REHEARSAL } : problem;
  });
}

function variablesOf(
  route: CompiledRoute,
  path: Sent['path'],
  query: Record<string, unknown>,
  body: unknown,
  principal: Implied,
): Record<string, unknown> {
  const variables: Record<string, unknown> = {};
  for (const [placeholder, variable] of route.pathVariables) variables[variable] = path[placeholder];
  for (const { name } of route.queryArguments) {
    const value = query[snakeCase(name)];
    if (value !== undefined) variables[name] = value;
  }
  if (route.bodyType)
    variables.input = { ...(toGraph(body, route.bodyType) as object), ...implied(route.impliedBodyFields, principal) };
  return { ...variables, ...implied(route.impliedArguments, principal) };
}

/** The parameters with their first values, and those that were given more than once. */
function singleValues(query: URLSearchParams): { query: Record<string, string>; repeated: FieldProblem[] } {
  const values = new Map<string, string>();
  const repeated = new Set<string>();
  for (const [name, value] of query) {
    if (values.has(name)) repeated.add(name);
    else values.set(name, value);
  }
  const message = 'Was given more than once. Give it once.';
  return { query: Object.fromEntries(values), repeated: [...repeated].map((path) => ({ path, message })) };
}

function implied(names: string[], principal: Implied): Record<string, string> {
  const known: Record<string, string | undefined> = { projectId: principal?.projectId };
  return Object.fromEntries(names.flatMap((name) => (known[name] ? [[name, known[name]]] : [])));
}
