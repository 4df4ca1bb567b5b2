import { CodedError } from '../../kernel/errors.ts';
import { mapSliced } from '../../kernel/sliced.ts';
import type { Project } from '../../models/Project.ts';
import { exhaustedQuota } from '../../scan/accountLimits.ts';
import { usableDomains } from '../domains/usableDomains.ts';
import { checkLink, linkDomain } from './checkLink.ts';
import type { LinkInput } from './linkInput.ts';
import { hashLinkPasswords, type WhenBusy } from './linkPasswords.ts';
import { scanInputs } from './scanInputs.ts';

/** A new link that may be made, as far as can be said without its transaction. */
export interface PreparedLink {
  input: LinkInput;
  domain: string;
  /** False: a provider could not be asked about its URLs. */
  isScanned: boolean;
  passwordHash?: string | null;
}

/** Checks and scans new links of a project, and hashes their passwords, before their transaction. Gives a refusal for each that cannot be made. */
export async function prepareLinks(
  project: Project,
  inputs: LinkInput[],
  whenBusy: WhenBusy = 'refuse',
): Promise<(PreparedLink | CodedError)[]> {
  const exhausted = await exhaustedQuota(project.teamId);
  const usable = await usableDomains(
    project.id,
    inputs.map(({ domain }) => domain),
  );
  const scanned = await scanInputs(
    await mapSliced(inputs, (input) => {
      const prepared = prepare(project, input, usable);
      return exhausted && !(prepared instanceof CodedError) ? exhausted : prepared;
    }),
  );
  return hashLinkPasswords(project.id, scanned, whenBusy);
}

function prepare(project: Project, input: LinkInput, usable: string[]): PreparedLink | CodedError {
  const domain = linkDomain(project, input);
  try {
    checkLink(project, input, { domain, usable });
    return { input, domain, isScanned: false };
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
}
