import { expect } from 'chai';
import type { Reply } from './api.ts';

/** That a reply is the error body of the contract, with this status and code. */
export function expectError(reply: Reply, status: number, code: string): void {
  expect([reply.status, reply.body?.error?.code], JSON.stringify(reply.body)).to.deep.equal([status, code]);
  expect(reply.headers.get('content-type')).to.match(/^application\/json\b/);
  expect(reply.body.error.message).to.be.a('string').that.is.not.empty;
  expect(reply.body.error.request_id).to.equal(reply.headers.get('x-request-id'));
  expect(reply.body.error.doc_url).to.match(new RegExp(`^http.*/reference#error-${code}$`));
  const keys = ['code', 'message', 'request_id', 'doc_url', ...(code === 'validation_failed' ? ['fields'] : [])];
  expect(reply.body.error).to.have.all.keys(keys);
}

/** That a reply is 422 `validation_failed` for exactly these fields. */
export function expectInvalid(reply: Reply, ...paths: string[]): void {
  expectError(reply, 422, 'validation_failed');
  expect(pathsOf(reply)).to.have.members(paths);
}

function pathsOf(reply: Reply): string[] {
  return reply.body.error.fields.map((field: { path: string }) => field.path);
}
