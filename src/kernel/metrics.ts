import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics that /metrics serves. */
export const registry = new Registry();
collectDefaultMetrics({ register: registry });

const registers = [registry];

export const metrics = {
  requests: new Histogram({
    name: 'svc_api_request_seconds',
    help: 'Duration of API and GraphQL requests, by method and status.',
    labelNames: ['method', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  }),
  rateLimiterFailures: new Counter({
    name: 'svc_rate_limiter_failures_total',
    help: 'Requests that were let through uncounted because the rate limiter was unavailable.',
    registers,
  }),
  toolCalls: new Counter({
    name: 'svc_mcp_tool_calls_total',
    help: 'Calls of tools by assistants, by tool and outcome (ok, asked, or the code of the error).',
    labelNames: ['tool', 'outcome'],
    registers,
  }),
  deliveryAttempts: new Counter({
    name: 'svc_webhook_attempts_total',
    help: 'Webhook delivery attempts, by result (ok or the error).',
    labelNames: ['result'],
    registers,
  }),
};

/** Registers a gauge whose value is read at each scrape. */
export function showGauge(name: string, help: string, read: () => number): void {
  registry.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    registers,
    collect() {
      this.set(read());
    },
  });
}

/** Registers a counter whose value is kept elsewhere and read at each scrape. It starts with the process and never falls. */
export function showCounter(name: string, help: string, read: () => number): void {
  registry.removeSingleMetric(name);
  new Counter({
    name,
    help,
    registers,
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

/** Responses on link domains by outcome since the start. Plain numbers, because they are counted on the hot path. */
export const redirectCounts = {
  followed: 0,
  expired: 0,
  not_found: 0,
  flagged: 0,
  unavailable: 0,
  password: 0,
  password_wrong: 0,
  password_throttled: 0,
  preview: 0,
  preview_protected: 0,
};

new Counter({
  name: 'svc_redirects_total',
  help: 'Responses on link domains, by outcome.',
  labelNames: ['outcome'],
  registers,
  collect() {
    this.reset();
    for (const [outcome, count] of Object.entries(redirectCounts)) this.inc({ outcome }, count);
  },
});
