import {
  type Attributes,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { CodedError } from './errors.ts';

/**
 * Spans for an OpenTelemetry collector. They hold names of ours, ids, counts and codes, and nothing that people wrote: no
 * URL, no slug, no statement, no message of an error. While nobody traces, each function here costs one comparison.
 */
let tracer: Tracer | null = null;

/** Records spans with this tracer from now on; null: none. */
export function useTracer(given: Tracer | null): void {
  tracer = given;
}

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

export interface SpanOptions {
  kind?: keyof typeof KINDS;
  attributes?: Attributes;
  /** The `traceparent` header of who asked, if the trace goes on with theirs. */
  parent?: string | undefined;
}

/** Adds what is known at the end of a span. With an `error.type` it counts as failed, also where nothing was thrown. */
export type Describe = (attributes: Attributes, name?: string) => void;

/** Runs `work` in a span. What it does meanwhile, also asynchronously, becomes part of it. */
export async function inSpan<Result>(
  name: string,
  { kind = 'internal', attributes = {}, parent }: SpanOptions,
  work: (describe: Describe) => Promise<Result>,
): Promise<Result> {
  if (!tracer) return work(ignore);
  const around = parent ? propagation.extract(context.active(), { traceparent: parent }) : context.active();
  return tracer.startActiveSpan(name, { kind: KINDS[kind], attributes }, around, async (span) => {
    try {
      return await work((more, better) => {
        span.setAttributes(more);
        if (more['error.type']) span.setStatus({ code: SpanStatusCode.ERROR });
        if (better) span.updateName(better);
      });
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

const ignore: Describe = () => {};

/** Whether a span is open here, so that its parts are worth naming. */
export function isTraced(): boolean {
  return tracer !== null && trace.getActiveSpan() !== undefined;
}

/** Begins a part of the open span that ends with a call, for work without promises; see `isTraced`. */
export function beginPart(name: string, attributes: Attributes): (error?: unknown) => void {
  const span = tracer?.startSpan(name, { kind: SpanKind.CLIENT, attributes });
  return (error) => {
    if (span && error) fail(span, error);
    span?.end();
  };
}

function fail(span: Span, error: unknown): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', typeOf(error));
}

/** The code of an error, or the name of its class. */
function typeOf(error: unknown): string {
  if (error instanceof CodedError) return error.code;
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name ?? 'unknown');
}
