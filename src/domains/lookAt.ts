import type { Domain } from '../models/Domain.ts';
import { askTxt, type Records } from './askRecords.ts';
import { type Finding, NOTHING_SEEN, type Seen } from './Finding.ts';
import { isLocalName } from './isLocalName.ts';
import { lookForFile } from './lookForFile.ts';
import { lookForRouting } from './lookForRouting.ts';
import { type Proof, proofText, txtName } from './proof.ts';

/** For all questions of one look together, so that whoever asks for it is answered within ten seconds. */
const LOOK_MS = 7000;

/** What one way to prove a domain gave. */
export interface Answer {
  isProven: boolean;
  /** As it stands in a list: "…, and it has no address". */
  problem: string;
  isOurFault: boolean;
  seen: Partial<Seen>;
}

/** Looks for every proof of a domain at once, in DNS and at its web server. Never rejects for what others do. */
export async function lookAt(domain: Domain, stopping?: AbortSignal): Promise<Finding> {
  const timeout = AbortSignal.timeout(LOOK_MS);
  const signal = stopping ? AbortSignal.any([stopping, timeout]) : timeout;
  const second: [Proof, Promise<Answer>] =
    domain.kind === 'web' ? ['file', lookForFile(domain, signal)] : ['dns', lookForRouting(domain.hostname, signal)];
  const [txt, other] = await Promise.all([lookForTxt(domain, signal), second[1]]);
  const proofs: Proof[] = [...(txt.isProven ? ['txt' as const] : []), ...(other.isProven ? [second[0]] : [])];
  return {
    proofs,
    problem: `${txt.problem}, and ${other.problem}. Set one of the records that the domain shows.`,
    isOurFault: proofs.length === 0 && (txt.isOurFault || other.isOurFault),
    seen: { ...NOTHING_SEEN, ...txt.seen, ...other.seen },
  };
}

/** More of what others wrote is not kept. */
const SHOWN = 20;
const SHOWN_CHARACTERS = 255;

async function lookForTxt(domain: Domain, signal: AbortSignal): Promise<Answer> {
  const name = txtName(domain);
  const records: Records = isLocalName(domain.hostname) ? { found: [] } : await askTxt(name, signal);
  if ('fault' in records) {
    const problem = `The name servers do not answer for the TXT records of ${name} (${records.detail})`;
    return { isProven: false, problem, isOurFault: records.fault === 'ours', seen: {} };
  }
  const isProven = records.found.some((text) => text.trim() === proofText(domain));
  const problem =
    records.found.length === 0 ? `There is no TXT record ${name}` : `The TXT record ${name} has another value`;
  const txt = records.found.slice(0, SHOWN).map((text) => text.slice(0, SHOWN_CHARACTERS));
  return { isProven, problem, isOurFault: false, seen: { txt } };
}
