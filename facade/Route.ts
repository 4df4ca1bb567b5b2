import type { Scope } from '../src/access/scopes.ts';
import type { ErrorCode } from '../src/kernel/errors.ts';
import type { SurfaceName } from './surfaces.ts';

/** One operation of REST or of the endpoints for apps. Router, OpenAPI document and tests are computed from these rows. */
export interface Route {
  /** Operation id in OpenAPI. */
  id: string;
  /** `rest` if nothing is said. */
  surface?: SurfaceName;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below the path of the surface; `{name}` is a variable of the document. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** What the key must have; null: no key is needed, of apps any publishable one. */
  scope: Scope | null;
  /** GraphQL; each field is aliased to its REST name. `$input` is the body, the other variables are the query. */
  document: string;
  /** Status of success. 204 has no body. */
  status: 200 | 201 | 202 | 204;
  /**
   * What the one root field gives. `json` (default): the answer. `upsert`: `{created, <what>}`, answered as 201 or 200 with
   * what was made or changed. `file`: `{mediaType, base64}`, answered as those bytes. `csv`: `{csv, nextCursor}`, asked again
   * with the variable `cursor` until it is null, and streamed.
   */
  answer?: 'json' | 'upsert' | 'file' | 'csv';
  /** Media types that a `file` or `csv` can have. */
  mediaTypes?: string[];
  /** `json` (default) or `csv`: the body is spooled and given to the resolver as `context.upload`; the query has its options. */
  takes?: 'json' | 'csv';
  /** Largest body in bytes, where it is not the surface's. */
  bodyLimit?: number;
  /** The answer holds a secret: it is encrypted where it is stored for repeats. */
  secret?: true;
  /** Codes this operation can answer beyond those that every operation can. */
  errors?: ErrorCode[];
  /** What its body tells of an app, which is counted by `install_id`: see countApp. */
  counts?: 'opening' | 'events';
  /** A document of the same answer, which takes the place of 429 when a quota is used up. */
  overQuota?: string;
}
