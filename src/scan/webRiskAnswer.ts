/** What Web Risk says of a URL: threats (none: safe), and how long that holds where it says so. */
export interface WebRiskAnswer {
  threats: string[];
  /** Milliseconds since the epoch; null: nothing was said. */
  expiresAt: number | null;
}

/** Reads the body of `uris:search`. Throws for what is no such answer. */
export function readWebRiskAnswer(body: unknown): WebRiskAnswer {
  if (typeof body !== 'object' || body === null || Array.isArray(body) || 'error' in body) throw nonsense();
  if (!('threat' in body)) return { threats: [], expiresAt: null };
  const { threatTypes, expireTime } = (body.threat ?? {}) as { threatTypes?: unknown; expireTime?: unknown };
  if (!Array.isArray(threatTypes) || threatTypes.length === 0) throw nonsense();
  if (!threatTypes.every((type) => typeof type === 'string')) throw nonsense();
  const expiresAt = typeof expireTime === 'string' ? Date.parse(expireTime) : Number.NaN;
  return { threats: threatTypes, expiresAt: Number.isNaN(expiresAt) ? null : expiresAt };
}

function nonsense(): Error {
  return new Error('the answer is not one of Web Risk');
}
