import type { Asking } from '../Asking.ts';
import { type Finding, named } from '../findings.ts';
import { unreachable } from '../unreachable.ts';

/** What Apple reads of a file; larger ones are none. */
const MAX_BYTES = 128 * 1024;

/** What the file holds, what is wrong with how it is served, or null when time was up before. */
export type ReadFile = { content: unknown } | { finding: Finding } | null;

/** Asks for an association file as systems do: no redirect, JSON by its type and by its form, not too large. */
export async function readFile(url: string, asking: Asking): Promise<ReadFile> {
  const answer = await asking.ask(url, { maxBytes: MAX_BYTES });
  if (answer === null) return null;
  if ('problem' in answer) return { finding: unreachable(url, answer, 'Apps do not open its links meanwhile.') };
  const { status, headers, body, isCut } = answer;
  const type = String(headers['content-type'] ?? '');
  const bad = (what: string): ReadFile => ({ finding: { status: 'fail', message: `${named(url)} ${what}` } });
  if (status >= 300 && status < 400)
    return bad('redirects, which systems do not follow: answer the file itself there.');
  if (status !== 200) return bad(`answers with status ${status} instead of the file: let it through to this service.`);
  if (isCut) return bad(`is larger than ${MAX_BYTES / 1024} KiB, and Apple reads no more: name fewer apps and paths.`);
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    return bad(`has the type "${type.slice(0, 100)}": serve it as application/json.`);
  }
  try {
    return { content: JSON.parse(body) };
  } catch {
    return bad('is not well-formed JSON: correct it.');
  }
}
