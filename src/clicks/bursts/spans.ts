/** A stretch of time, both ends included, in milliseconds since the epoch. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** The span that holds that moment. */
export function spanAt(spans: readonly Span[], atMs: number): Span | undefined {
  return spans.find(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs);
}

/** Adds a span to others that lie apart, in the order of time, and gives what was in none of them before. */
export function addSpan(spans: Span[], { fromMs, toMs }: Span): Span[] {
  const touched = spans.filter((span) => span.fromMs <= toMs && fromMs <= span.toMs);
  const first = touched[0];
  const last = touched.at(-1);
  const at = first ? spans.indexOf(first) : spans.filter((span) => span.toMs < fromMs).length;
  const whole = { fromMs: Math.min(fromMs, first?.fromMs ?? fromMs), toMs: Math.max(toMs, last?.toMs ?? toMs) };
  spans.splice(at, touched.length, whole);
  const added: Span[] = [];
  let reachedMs = fromMs;
  for (const span of touched) {
    if (span.fromMs > reachedMs) added.push({ fromMs: reachedMs, toMs: span.fromMs });
    reachedMs = Math.max(reachedMs, span.toMs);
  }
  if (toMs > reachedMs || touched.length === 0) added.push({ fromMs: reachedMs, toMs });
  return added;
}
