import { type FieldProblem, GraphqlError } from '../kernel/GraphqlError.ts';
import { stringifySearch } from '../kernel/search.ts';
import type { ImportFormat, OnConflict } from './operations.ts';

export interface ImportOptions {
  projectId: string;
  format: ImportFormat;
  onConflict: OnConflict;
  dryRun: boolean;
}

export const MAX_BYTES = 50_000_000;

/**
 * Uploads a file and gives the id of its import. `fetch` does not tell how far an upload is, so this is an XMLHttpRequest.
 * Throws a GraphqlError.
 */
export function uploadImport(
  file: File,
  { projectId, format, onConflict, dryRun }: ImportOptions,
  onProgress: (share: number) => void,
  signal: AbortSignal,
): Promise<string> {
  const search = stringifySearch({ project_id: projectId, format, on_conflict: onConflict, dry_run: dryRun });
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `/graphql/imports${search}`);
    request.setRequestHeader('Content-Type', 'text/csv');
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / Math.max(total, 1));
    request.onload = () => {
      const { id, error } = readAnswer(request);
      if (id === null) reject(error);
      else resolve(id);
    };
    request.onerror = () => reject(new GraphqlError('The service does not answer.', { code: 'unreachable' }));
    request.onabort = () => reject(signal.reason);
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}

interface Answer {
  data?: { startImport: { id: string } };
  errors?: { message: string; extensions?: { code?: string; fields?: FieldProblem[]; requestId?: string } }[];
}

function readAnswer({ responseText }: XMLHttpRequest): { id: string | null; error: GraphqlError } {
  let answer: Answer = {};
  try {
    answer = JSON.parse(responseText);
  } catch {
    // A proxy may have its own limit of bodies, and its own page for it.
  }
  const { message = 'The upload was refused.', extensions = {} } = answer.errors?.[0] ?? {};
  const { code = 'unexpected', fields, requestId } = extensions;
  const error = new GraphqlError(message, { code, requestId: requestId ?? null, ...(fields ? { fields } : {}) });
  return { id: answer.data?.startImport.id ?? null, error };
}
