import type { IncomingMessage, ServerResponse } from 'node:http';
import { within } from './deadline.ts';
import { CodedError } from './errors.ts';

/** The client closed the connection before its request had arrived: there is nobody to answer. */
export class ClientLeft extends Error {}

/**
 * Waits for what is made of a request's body while it arrives. Throws `request_timeout` when that takes longer than
 * `seconds` (see `closeAfter`), and `ClientLeft`.
 */
export async function arriving<Result>(
  request: IncomingMessage,
  seconds: number,
  reading: Promise<Result>,
): Promise<Result> {
  try {
    return await within(reading, seconds * 1000, () => tooSlow(seconds));
  } catch (error) {
    throw request.destroyed && !request.complete ? new ClientLeft() : error;
  }
}

/**
 * For the answer to `request_timeout`: what is left of the request must not be taken for the next one, and whoever still
 * reads it would wait for ever, because Node tells nobody of the end of a request that has been answered.
 */
export function closeAfter(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  response.once('close', () => request.destroy());
}

function tooSlow(seconds: number): CodedError {
  return new CodedError('request_timeout', `The body did not arrive within ${seconds} seconds.`);
}
