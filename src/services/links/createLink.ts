import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { presentLink } from '../../events/presentLink.ts';
import { recordEvent } from '../../events/recordEvent.ts';
import { CodedError } from '../../kernel/errors.ts';
import type { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';
import { checkLink, linkDomain } from './checkLink.ts';
import { insertLinks } from './insertLinks.ts';
import type { LinkInput } from './linkInput.ts';
import { type PreparedLink, prepareLinks } from './prepareLinks.ts';

type NewLink = LinkInput & { projectId: string };

/** Makes a link. Throws `validation_failed`, `slug_taken`, or `conflict` for a used external id. */
export async function createLink(principal: Principal, input: NewLink): Promise<Link> {
  const project = await authorizeProject(principal, 'links:write', input.projectId);
  const [prepared] = await prepareLinks(project, [input]);
  if (!prepared || prepared instanceof CodedError) throw prepared;
  return inTransaction((transaction) => createPrepared(project, prepared, transaction));
}

/** Makes one link and tells receivers of it. */
export async function createPrepared(
  project: Project,
  prepared: PreparedLink,
  transaction: Transaction,
): Promise<Link> {
  const [link] = await insertLinks(project, [prepared], {}, transaction);
  if (!link || link instanceof CodedError) throw link;
  await recordEvent(transaction, {
    type: 'link.created',
    teamId: project.teamId,
    projectId: project.id,
    linkId: link.id,
    tagIds: link.tagIds ?? [],
    data: { link: presentLink(link, link.tagNames ?? []) },
  });
  return link;
}

/** Whether the link is possible, without making it. */
export async function checkNewLink(principal: Principal, input: NewLink): Promise<void> {
  const project = await authorizeProject(principal, 'links:write', input.projectId);
  checkLink(project, input, linkDomain(project, input));
}
