import { CodedError } from '../../kernel/errors.ts';
import { mapSliced } from '../../kernel/sliced.ts';
import type { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';
import { usableDomains } from '../domains/usableDomains.ts';
import { checkLink, linkDomain } from './checkLink.ts';
import type { LinkChange } from './linkInput.ts';
import { hashLinkPasswords, type WhenBusy } from './linkPasswords.ts';
import { scanInputs } from './scanInputs.ts';

/** A change that may be made, as far as can be said without its transaction. */
export interface PreparedChange {
  linkId: string;
  input: LinkChange;
  /** What is new in the address: only what was sent, for another change may move the link before it is locked. */
  address: { domain?: string; slug?: string };
  /** False: a provider could not be asked about its new URLs. */
  isScanned: boolean;
  /** Null: the link has none any more. Undefined: it keeps what it has. */
  passwordHash?: string | null;
}

/** Checks and scans changes of links of a project, and hashes new passwords, before their transaction. Gives a refusal for each that cannot be made. */
export async function prepareChanges(
  project: Project,
  changes: { link: Link; input: LinkChange }[],
  whenBusy: WhenBusy = 'refuse',
): Promise<(PreparedChange | CodedError)[]> {
  const usable = await usableDomains(
    project.id,
    changes.map(({ input }) => input.domain),
  );
  const prepared = await mapSliced(changes, ({ link, input }) => prepare(project, link, input, usable));
  return hashLinkPasswords(project.id, await scanInputs(prepared), whenBusy);
}

function prepare(project: Project, found: Link, input: LinkChange, usable: string[]): PreparedChange | CodedError {
  const address = {
    ...(input.domain ? { domain: linkDomain(project, input) } : {}),
    ...(input.slug ? { slug: input.slug } : {}),
  };
  try {
    const domain = address.domain ?? found.domain;
    checkLink(project, { ...input, slug: input.slug ?? found.slug }, { domain, usable, current: found });
    return { linkId: found.id, input, address, isScanned: false };
  } catch (error) {
    if (error instanceof CodedError) return error;
    throw error;
  }
}
