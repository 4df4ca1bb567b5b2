import type { Scope } from '../src/access/scopes.ts';
import type { ErrorCode } from '../src/kernel/errors.ts';

/** One operation of the REST API. Router, OpenAPI document and tests are computed from these rows. */
export interface Route {
  /** Operation id in OpenAPI. */
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below /api/v1; `{name}` is a variable of the document. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** What the key must have; null: no key is needed. */
  scope: Scope | null;
  /** GraphQL; each field is aliased to its REST name. `$input` is the body, the other variables are the query. */
  document: string;
  /** Status of success. 204 has no body. */
  status: 200 | 201 | 202 | 204;
  /** Codes this operation can answer beyond those that every operation can. */
  errors?: ErrorCode[];
}
