import { hostname } from 'node:os';
import type { Config } from '../src/kernel/config.ts';
import { withTimeout } from '../src/kernel/deadline.ts';
import { log } from '../src/kernel/log.ts';
import { useTracer } from '../src/kernel/tracing.ts';
import { VERSION } from '../src/kernel/version.ts';

/** How long the last spans may take to a collector that does not answer: a shutdown does not wait for longer. */
const FLUSH_MS = 2000;
/** A collector that is away is reported so often. */
const REPORT_MS = 60_000;

/**
 * Sends spans to the collector of OTEL_EXPORTER_OTLP_ENDPOINT, if it is set. The packages are loaded only then. They read
 * the other variables of the exporter themselves, such as OTEL_EXPORTER_OTLP_HEADERS. Spans that the collector does not take
 * are dropped, and nothing waits for it.
 */
export async function startTracing(config: Config): Promise<{ stop(): Promise<void> }> {
  if (!config.otelExporterOtlpEndpoint) return { stop: async () => {} };
  const [api, { AsyncLocalStorageContextManager }, { W3CTraceContextPropagator }, sdk, resources, exporter] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
  const contexts = new AsyncLocalStorageContextManager().enable();
  api.context.setGlobalContextManager(contexts);
  api.propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  api.diag.setLogger(reportTo(log.warn.bind(log)), api.DiagLogLevel.ERROR);
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({
      'service.name': config.otelServiceName,
      'service.version': VERSION,
      'service.instance.id': `${hostname()}:${process.pid}`,
      'svc.role': config.role,
    }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(config.tracesPercent / 100) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor(new exporter.OTLPTraceExporter({ url: tracesUrl(config.otelExporterOtlpEndpoint) })),
    ],
  });
  useTracer(provider.getTracer('svc', VERSION));
  return {
    async stop() {
      useTracer(null);
      const late = () => new Error('the trace collector did not take the last spans in time');
      await withTimeout(provider.shutdown(), FLUSH_MS, late).catch((error) => log.warn({ err: error }, error.message));
      api.diag.disable();
      api.context.disable();
      api.propagation.disable();
    },
  };
}

/** Where the collector takes spans: below its address, as OpenTelemetry specifies it. */
function tracesUrl(endpoint: string): string {
  return `${endpoint.replace(/\/+$/, '')}/v1/traces`;
}

/** Writes what the exporter complains of, once a minute at most. */
function reportTo(warn: (fields: object, message: string) => void) {
  let reportedAt = Number.NEGATIVE_INFINITY;
  const write = (problem: string) => {
    if (performance.now() - reportedAt < REPORT_MS) return;
    reportedAt = performance.now();
    warn({ problem: problem.slice(0, 300) }, 'the trace collector does not take spans; they are dropped');
  };
  return { error: write, warn: write, info() {}, debug() {}, verbose() {} };
}
