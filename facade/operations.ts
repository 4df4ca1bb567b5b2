import { createHash, timingSafeEqual } from 'node:crypto';
import type Koa from 'koa';
import { config } from '../src/kernel/config.ts';
import { CodedError, notFound } from '../src/kernel/errors.ts';
import { registry } from '../src/kernel/metrics.ts';
import { OWN_PATHS } from '../src/kernel/origins.ts';
import { type Mounts, only } from './app.ts';

/** Returns null if the process can work, otherwise what is wrong. */
export type Readiness = () => Promise<string | null>;

/** The endpoints for operators: liveness, readiness and metrics. */
export function operationsMounts(readiness: Readiness): Mounts {
  return {
    [OWN_PATHS.healthz]: [only('GET', 'HEAD'), healthz],
    [OWN_PATHS.readyz]: [only('GET', 'HEAD'), readyz(readiness)],
    [OWN_PATHS.metrics]: [only('GET', 'HEAD'), requireMetricsToken, showMetrics],
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

/** Metrics are internal: they need METRICS_TOKEN, and without that setting the path does not exist. */
const requireMetricsToken: Koa.Middleware = (ctx, next) => {
  if (!config.metricsToken) throw notFound('page');
  const given = /^Bearer (.+)$/i.exec(ctx.get('Authorization'))?.[1] ?? '';
  if (isSameText(given, config.metricsToken)) return next();
  ctx.set('WWW-Authenticate', 'Bearer');
  throw new CodedError('invalid_key', 'Send METRICS_TOKEN as a bearer token: Authorization: Bearer <token>.');
};

function isSameText(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a as Buffer, b as Buffer);
}

const showMetrics: Koa.Middleware = async (ctx) => {
  ctx.type = registry.contentType;
  ctx.body = await registry.metrics();
};
