import type Koa from 'koa';
import { maskError } from '../schema/maskError.ts';
import { closeAfter } from '../src/kernel/arriving.ts';
import type { CodedError } from '../src/kernel/errors.ts';
import { docUrl } from '../src/kernel/origins.ts';

/** Turns whatever is thrown below it into the error body of the contract. */
export async function problem(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  try {
    await next();
  } catch (thrown) {
    const error = maskError(thrown, ctx.state.requestId);
    ctx.status = error.status;
    if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
    if (error.status === 408) closeAfter(ctx.req, ctx.res);
    if (error.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
    ctx.body = errorBody(error, ctx.state.requestId);
  }
}

/** The error body of the contract. */
export function errorBody({ code, message, fields }: CodedError, requestId: string): object {
  return { error: { code, message, request_id: requestId, doc_url: docUrl(code), ...(fields ? { fields } : {}) } };
}
