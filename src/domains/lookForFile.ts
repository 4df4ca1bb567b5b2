import { isOurs } from '../net/connectFailure.ts';
import { probe } from '../net/probe.ts';
import { problemText } from '../net/problemText.ts';
import type { Answer } from './lookAt.ts';
import { fileUrl, proofText } from './proof.ts';

/** Less than a whole look, so that what went wrong can be told. */
const REQUEST_MS = 5000;

/** The text has about 50 characters. */
const MAX_BYTES = 1024;
const SHOWN_CHARACTERS = 255;

/** Whether the file of a domain is served as it must be. */
export async function lookForFile(
  claim: Parameters<typeof fileUrl>[0] & Parameters<typeof proofText>[0],
  signal: AbortSignal,
): Promise<Answer> {
  const url = fileUrl(claim);
  const no = (
    problem: string,
    { file = null, isOurFault = false }: { file?: [] | null; isOurFault?: boolean } = {},
  ) => ({
    isProven: false,
    problem,
    isOurFault,
    seen: { file },
  });
  try {
    const asked = probe(url, { maxBytes: MAX_BYTES, timeoutMs: REQUEST_MS });
    // Many may ask the same host, one at a time.
    const answer = await Promise.race([asked, busy(signal)]);
    if (answer === null) return no(`${url} could not be asked in time`, { isOurFault: true });
    if ('problem' in answer) return no(`${url} cannot be reached: ${problemText(answer)}`);
    if (answer.status >= 300 && answer.status < 400) return no(`${url} redirects, which it must not`, { file: [] });
    if (answer.status !== 200) return no(`${url} answers with status ${answer.status}`, { file: [] });
    const isProven = answer.body.trim() === proofText(claim) && !answer.isCut;
    const problem = `${url} says something else than the text that is asked for`;
    return { isProven, problem, isOurFault: false, seen: { file: [answer.body.trim().slice(0, SHOWN_CHARACTERS)] } };
  } catch (error) {
    if (!isOurs(error)) throw error;
    return no(`${url} could not be asked`, { isOurFault: true });
  }
}

function busy(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}
