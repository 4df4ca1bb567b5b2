import type Koa from 'koa';
import { registry } from '../src/kernel/metrics.ts';
import { OWN_PATHS } from '../src/kernel/ownPaths.ts';
import { type Mounts, only } from './app.ts';

/** Whether the process can do its work now; what is wrong otherwise. */
export type Readiness = () => Promise<string | null>;

/** What operators and their machines ask: is it alive, is it ready, how is it doing. */
export function operationsMounts(readiness: Readiness): Mounts {
  return {
    [OWN_PATHS.healthz]: [only('GET', 'HEAD'), healthz],
    [OWN_PATHS.readyz]: [only('GET', 'HEAD'), readyz(readiness)],
    [OWN_PATHS.metrics]: [only('GET', 'HEAD'), showMetrics],
  };
}

const healthz: Koa.Middleware = (ctx) => {
  ctx.body = { status: 'ok' };
};

function readyz(readiness: Readiness): Koa.Middleware {
  return async (ctx) => {
    const problem = await readiness();
    ctx.status = problem ? 503 : 200;
    ctx.body = problem ? { status: 'unavailable', message: problem } : { status: 'ok' };
  };
}

const showMetrics: Koa.Middleware = async (ctx) => {
  ctx.type = registry.contentType;
  ctx.body = await registry.metrics();
};
