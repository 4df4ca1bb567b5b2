import type { RequestListener } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { createApp, whileStoreAnswers } from '../facade/app.ts';
import { archiveMounts } from '../facade/archive/archiveMounts.ts';
import { dashboardMounts } from '../facade/dashboard.ts';
import { downloadsMounts } from '../facade/downloads.ts';
import { makeManifest } from '../facade/manifest.ts';
import { mcpMounts } from '../facade/mcpMount.ts';
import type { McpParts } from '../facade/mcpParts.ts';
import { prepareDocument } from '../facade/openapi/document.ts';
import { operationsMounts, type Readiness } from '../facade/operations.ts';
import type { OpenStream } from '../facade/perform.ts';
import { referenceMounts } from '../facade/reference/referenceMounts.ts';
import { compileRoutes } from '../facade/route.ts';
import { sessionFileMounts } from '../facade/sessionFiles.ts';
import { liveClicksMiddleware } from '../schema/liveClicks.ts';
import { startGraphqlServer } from '../schema/server.ts';
import { type TailArgs, tailRequestOf } from '../schema/webhooks/tailRequest.ts';
import { signUpPolicy } from '../src/accounts/signUpService.ts';
import { TeamArchives } from '../src/archive/archiveService.ts';
import { config } from '../src/kernel/config.ts';
import { baseHost, OWN_PATHS } from '../src/kernel/origins.ts';
import { EventStreams } from '../src/live/eventStreamService.ts';
import { LiveClicks } from '../src/live/liveService.ts';
import { homePage } from '../src/redirect/pages/homePage.ts';
import { PlanProcesses } from './PlanProcesses.ts';

/** Everything on the host of BASE_URL. */
export interface WebApp {
  listener: RequestListener;
  /** Ends the responses that have no end of their own; the server waits for its open responses. */
  endStreams: (() => Promise<unknown>)[];
  /** Makes, while requests are answered, what takes longer than a request should. */
  prepare(): Promise<void>;
  stop(): Promise<void>;
}

/** The first page of the host of BASE_URL. */
export const WELCOME = {
  page: homePage,
  isSignUpOpen: (isFromThisMachine: boolean) => signUpPolicy(isFromThisMachine) === 'open',
};

/** The APIs, and with `hasWeb` also GraphQL, the dashboard, assistants and documentation. */
export async function openWebApp(
  schema: GraphQLSchema,
  { hasWeb, ready }: { hasWeb: boolean; ready: Readiness },
): Promise<WebApp> {
  const routes = compileRoutes(schema);
  const prepare = () => prepareDocument(routes, schema);
  const operations = operationsMounts(ready);
  if (!hasWeb) {
    const listener = createApp({ routes, schema }, operations, WELCOME).callback();
    return { listener, endStreams: [], prepare, stop: async () => {} };
  }
  const [live, archives, events] = [new LiveClicks(), new TeamArchives(), new EventStreams()];
  const openStream: OpenStream = (principal, args) =>
    events.open(principal, tailRequestOf(args as unknown as TailArgs));
  const apis = { routes, schema, openStream };
  const graphql = await startGraphqlServer(schema);
  const plans = new PlanProcesses(baseHost);
  const mcp = config.mcpEnabled ? mcpMounts(apis, () => loadMcp(plans)) : null;
  // A path inside another one is mounted before it.
  const mounts = {
    ...(await dashboardMounts()),
    ...(await downloadsMounts()),
    [OWN_PATHS.liveClicks]: liveClicksMiddleware(live),
    ...sessionFileMounts(schema),
    ...archiveMounts(schema, archives),
    ...referenceMounts(() => makeManifest(routes, schema)),
    ...mcp?.mounts,
    [OWN_PATHS.graphql]: [whileStoreAnswers, ...graphql.middleware],
  };
  return {
    listener: createApp(apis, { ...operations, ...mounts }, WELCOME).callback(),
    endStreams: [
      () => live.stop(),
      () => events.stop(),
      async () => archives.stop(),
      async () => mcp?.close(),
      async () => plans.stop(),
    ],
    prepare,
    stop: graphql.stop,
  };
}

/** What speaks with assistants, with the engine of links as code. Loaded when the first of them comes. */
async function loadMcp(plans: PlanProcesses) {
  const [{ serveMcp }, { CODE_SCHEMA, engineOf }] = await Promise.all([
    import('../mcp/serve.ts'),
    import('../sdk/code/index.ts'),
  ]);
  const { apply, writes } = engineOf(CODE_SCHEMA, baseHost);
  return (parts: McpParts) => serveMcp({ ...parts, code: { plan: plans.plan.bind(plans), writes, apply } });
}
