import type Koa from 'koa';
import { maskError } from '../schema/maskError.ts';

/** Turns whatever is thrown below it into the error body of the contract. */
export async function problem(ctx: Koa.Context, next: Koa.Next): Promise<void> {
  try {
    await next();
  } catch (thrown) {
    const error = maskError(thrown, ctx.state.requestId);
    ctx.status = error.status;
    if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds));
    if (error.status === 401) ctx.set('WWW-Authenticate', 'Bearer');
    ctx.body = {
      error: {
        code: error.code,
        message: error.message,
        request_id: ctx.state.requestId,
        ...(error.fields ? { fields: error.fields } : {}),
      },
    };
  }
}
