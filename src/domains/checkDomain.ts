import { type Domain, NOTHING_SEEN, type Seen } from '../models/Domain.ts';
import { isOurs } from '../net/connect.ts';
import { describeFailure, probe } from '../net/probe.ts';
import { askTxt, isLocalName, type Records } from './askRecords.ts';
import { checkRouting } from './checkRouting.ts';
import type { DomainFinding, Proof } from './decideOwnership.ts';
import { fileUrl, proofText, txtName } from './verification.ts';

/** The time for one whole check, so that a request for it is answered within ten seconds. */
const CHECK_MS = 7000;

/** The result of looking for one kind of proof. */
export interface ProofResult {
  isProven: boolean;
  /** A part of a sentence: "…, and it has no address". */
  problem: string;
  isOurFault: boolean;
  seen: Partial<Seen>;
}

/** Looks for all proofs of a domain at once, in DNS and on its web server. Failures of others never reject. */
export async function checkDomain(domain: Domain, stopping?: AbortSignal): Promise<DomainFinding> {
  const timeout = AbortSignal.timeout(CHECK_MS);
  const signal = stopping ? AbortSignal.any([stopping, timeout]) : timeout;
  const second: [Proof, Promise<ProofResult>] =
    domain.kind === 'web' ? ['file', checkFile(domain, signal)] : ['dns', checkRouting(domain.hostname, signal)];
  const [txt, other] = await Promise.all([checkTxt(domain, signal), second[1]]);
  const proofs: Proof[] = [...(txt.isProven ? ['txt' as const] : []), ...(other.isProven ? [second[0]] : [])];
  return {
    proofs,
    problem: `${txt.problem}, and ${other.problem}. Set one of the records listed for this domain.`,
    isOurFault: proofs.length === 0 && (txt.isOurFault || other.isOurFault),
    seen: { ...NOTHING_SEEN, ...txt.seen, ...other.seen },
  };
}

/** How much of the TXT records that were found is stored. */
const MAX_RECORDS = 20;
const MAX_CHARACTERS = 255;

async function checkTxt(domain: Domain, signal: AbortSignal): Promise<ProofResult> {
  const name = txtName(domain);
  const records: Records = isLocalName(domain.hostname) ? { found: [] } : await askTxt(name, signal);
  if ('fault' in records) {
    const problem = `The name servers returned no answer for the TXT records of ${name} (${records.detail})`;
    return { isProven: false, problem, isOurFault: records.fault === 'ours', seen: {} };
  }
  const isProven = records.found.some((text) => text.trim() === proofText(domain));
  const problem =
    records.found.length === 0 ? `There is no TXT record ${name}` : `The TXT record ${name} has another value`;
  const txt = records.found.slice(0, MAX_RECORDS).map((text) => text.slice(0, MAX_CHARACTERS));
  return { isProven, problem, isOurFault: false, seen: { txt } };
}

/** Shorter than a whole check, so that its problem can be reported. */
const REQUEST_MS = 5000;

/** The text has about 50 characters. */
const MAX_BYTES = 1024;

/** Whether the domain serves the file with the expected text. */
async function checkFile(
  claim: Parameters<typeof fileUrl>[0] & Parameters<typeof proofText>[0],
  signal: AbortSignal,
): Promise<ProofResult> {
  const url = fileUrl(claim);
  const no = (
    problem: string,
    { file = null, isOurFault = false }: { file?: [] | null; isOurFault?: boolean } = {},
  ) => {
    return { isProven: false, problem, isOurFault, seen: { file } };
  };
  try {
    const asked = probe(url, { maxBytes: MAX_BYTES, timeoutMs: REQUEST_MS });
    // Probes of one host wait for each other, so this one may not even start in time.
    const answer = await Promise.race([asked, aborted(signal)]);
    if (answer === null) return no(`${url} could not be requested in time`, { isOurFault: true });
    if ('problem' in answer) return no(`${url} cannot be reached: ${describeFailure(answer)}`);
    if (answer.status >= 300 && answer.status < 400) return no(`${url} redirects, which is not allowed`, { file: [] });
    if (answer.status !== 200) return no(`${url} responds with status ${answer.status}`, { file: [] });
    const isProven = answer.body.trim() === proofText(claim) && !answer.isCut;
    const problem = `${url} does not contain the expected text`;
    const file = [answer.body.trim().slice(0, MAX_CHARACTERS)];
    return { isProven, problem, isOurFault: false, seen: { file } };
  } catch (error) {
    if (!isOurs(error)) throw error;
    return no(`${url} could not be requested`, { isOurFault: true });
  }
}

function aborted(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null);
    else signal.addEventListener('abort', () => resolve(null), { once: true });
  });
}
