import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { type Execution, execute } from '../schema/execute.ts';
import { sessionSteps } from '../schema/server.ts';
import { CodedError, methodNotAllowed, notFound, validationFailed } from '../src/kernel/errors.ts';
import { isId } from '../src/kernel/ids.ts';
import { OWN_PATHS } from '../src/kernel/origins.ts';
import { type Mounts, whileStoreAnswers } from './app.ts';
import { bind } from './bind.ts';
import { NO_BODY, readBody } from './readBody.ts';
import { respond, streamCsv } from './respond.ts';
import { type CompiledRoute, compileRoute } from './route.ts';
import type { Route } from './routes/Route.ts';
import { CSV_PAGE, LINK_FILTERS } from './routes/selections.ts';

/**
 * Files for people at the dashboard, with the session's cookie: GraphQL carries no uploads of 50 MB, and no downloads that are
 * written while they are read. Errors are in the form of GraphQL, and so is the answer to an upload.
 */
const FILES: Record<string, Route> = {
  [`POST ${OWN_PATHS.importFiles}`]: {
    id: 'startImport',
    call: 'imports.start',
    method: 'POST',
    path: '/imports',
    tag: 'Imports',
    summary: 'Upload a CSV file',
    scope: 'links:write',
    document: `mutation ($projectId: ID!, $format: ImportFormat, $dryRun: Boolean, $onConflict: OnConflict) {
      startImport(projectId: $projectId, format: $format, dryRun: $dryRun, onConflict: $onConflict) { id dryRun } }`,
    status: 202,
    takes: 'csv',
  },
  [`GET ${OWN_PATHS.linksFile}`]: {
    id: 'links',
    call: 'links.export',
    method: 'GET',
    path: '/links.csv',
    tag: 'Links',
    summary: 'Download links as CSV',
    scope: 'links:read',
    document: `query (${LINK_FILTERS.variables}, $tags: [String!], $tagMode: TagMode, $isUntagged: Boolean, $createdBy: ID,
      $hasRouting: Boolean, $spreadsheet: Boolean, $cursor: String) {
      exportLinks(${LINK_FILTERS.arguments}, tags: $tags, tagMode: $tagMode, isUntagged: $isUntagged, createdBy: $createdBy,
        hasRouting: $hasRouting, spreadsheet: $spreadsheet, cursor: $cursor) { ${CSV_PAGE} } }`,
    status: 200,
    answer: 'csv',
  },
  [`GET ${OWN_PATHS.importFiles}/{id}/rows.csv`]: {
    id: 'rows',
    call: 'imports.rows',
    method: 'GET',
    path: '/imports/{id}/rows.csv',
    tag: 'Imports',
    summary: 'Download the report of an import',
    scope: 'links:read',
    document: `query ($id: ID!, $outcome: ImportOutcome, $cursor: String) {
      importRowsCsv(id: $id, outcome: $outcome, cursor: $cursor) { ${CSV_PAGE} } }`,
    status: 200,
    answer: 'csv',
  },
};

/** As many as a list of links is filtered by. */
const MAX_TAGS = 20;

const REPORT = new RegExp(`^${OWN_PATHS.importFiles}/([^/]+)/rows\\.csv$`);

export function sessionFileMounts(schema: GraphQLSchema): Mounts {
  const routes = new Map(Object.entries(FILES).map(([place, route]) => [place, compileRoute(route, schema)]));
  const answer: Koa.Middleware = async (ctx) => {
    if (ctx.state.principal.kind !== 'session') throw new CodedError('not_signed_in', 'Sign in first.');
    const { place, path } = placeOf(ctx.path);
    const route = routes.get(`${ctx.method} ${place}`);
    if (!route) throw refusal(ctx, place, routes);
    await handle(ctx, route, path, schema);
  };
  const steps = [whileStoreAnswers, ...sessionSteps(), answer];
  return { [OWN_PATHS.linksFile]: steps, [OWN_PATHS.importFiles]: steps };
}

async function handle(
  ctx: Koa.Context,
  route: CompiledRoute,
  path: Record<string, string>,
  schema: GraphQLSchema,
): Promise<void> {
  const query = new URLSearchParams(ctx.querystring);
  const projectId = query.get('project_id');
  const tags = query.getAll('tags');
  query.delete('project_id');
  query.delete('tags');
  if (route.impliedArguments.length > 0) refuseWithoutProject(projectId);
  const body = route.takes === 'csv' ? await readBody(ctx.req, route) : NO_BODY;
  try {
    const { variables, problems } = bind(route, { path, query, body: undefined }, { projectId: projectId ?? '' });
    // The one parameter that may be given several times.
    if (tags.length > 0) variables.tags = tags.slice(0, MAX_TAGS);
    const { principal, requestId, clientAddress } = ctx.state;
    const upload = body.upload ? { upload: body.upload } : {};
    const context = { principal, requestId, clientAddress, problems, ...upload };
    const execution: Execution = { schema, document: route.compiled, variables, context };
    if (route.answer === 'csv') return respond(ctx, await streamCsv(execution, route.id));
    const started = await execute(execution);
    ctx.status = route.status;
    ctx.body = { data: { [route.id]: started } };
  } finally {
    await body.upload?.remove();
  }
}

function refuseWithoutProject(projectId: string | null): void {
  if (!projectId) throw validationFailed([{ path: 'project_id', message: 'Is required: the id of a project.' }]);
  if (!isId('prj', projectId)) throw notFound('project');
}

function placeOf(path: string): { place: string; path: Record<string, string> } {
  const [, id] = REPORT.exec(path) ?? [];
  return id === undefined
    ? { place: path, path: {} }
    : { place: `${OWN_PATHS.importFiles}/{id}/rows.csv`, path: { id } };
}

/** 405 where another method is known, else 404. */
function refusal(ctx: Koa.Context, place: string, routes: ReadonlyMap<string, CompiledRoute>): CodedError {
  const methods = [...routes.keys()]
    .filter((key) => key.endsWith(` ${place}`))
    .map((key) => key.split(' ')[0] as string);
  if (methods.length === 0) return notFound('page');
  ctx.set('Allow', methods.join(', '));
  return methodNotAllowed(ctx.method, methods);
}
