import type { Scope } from '../../src/access/scopes.ts';
import type { ErrorCode } from '../../src/kernel/errors.ts';
import type { ApiName } from '../apis.ts';

/** One operation of the REST API or the SDK API. The router, the OpenAPI document and tests are derived from these rows. */
export interface Route {
  /** Operation id in OpenAPI. */
  id: string;
  /** `resource.verb`: its name in the client, the command line, the tools for assistants and the reference. */
  call: string;
  /** The API of the operation; `rest` by default. */
  api?: ApiName;
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** The path within the API; `{name}` is a variable of the document. */
  path: string;
  tag: string;
  summary: string;
  description?: string;
  /** The scope that the key needs. Null: any key of the API. */
  scope: Scope | null;
  /** The GraphQL document, which aliases each field to its REST name. `$input` is the body, other variables are the query. */
  document: string;
  /** The status of a success. 204 has no body. */
  status: 200 | 201 | 202 | 204;
  /**
   * How the result of the root field is sent. `json` (default): as it is. `upsert`: `{created, <what>}`, answered as 201 or 200 with
   * what was made or changed. `file`: `{mediaType, base64}`, answered as those bytes. `csv`: `{csv, nextCursor}`, asked again
   * with the variable `cursor` until it is null, and streamed; its variable `format` may choose lines of JSON. `stream`:
   * server-sent events that go on until somebody ends them; the document has their parameters, and what the stream begins
   * with.
   */
  answer?: 'json' | 'upsert' | 'file' | 'csv' | 'stream';
  /** The media types that an answer without JSON may have. */
  mediaTypes?: string[];
  /** The body: `json` (default), or `csv`, which is spooled to a file for the resolver (`context.upload`). */
  takes?: 'json' | 'csv';
  /** The largest body in bytes, if it differs from that of the API. */
  bodyLimit?: number;
  /** The response contains a secret, and is encrypted when it is stored for retries. */
  secret?: true;
  /**
   * Why a client should ask before it calls this: it deletes something for good, stops something that works, sends something
   * that cannot be taken back, or reveals a secret.
   */
  danger?: Danger;
  /** `?dry_run=true` answers what would happen and keeps nothing. Not for what reaches outside or starts a job. */
  rehearses?: true;
  /** Error codes of this operation, in addition to those of every operation. */
  errors?: ErrorCode[];
  /** What its body reports about an app, for quotas by `install_id`; see `countAppCall`. */
  counts?: 'opening' | 'events';
  /** A document with the same response, which is sent instead of 429 when a quota is used up. */
  overQuota?: string;
}

export type Danger = 'deletes' | 'stops' | 'sends' | 'reveals';
