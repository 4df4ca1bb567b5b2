import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { announce } from '../../db/announce.ts';
import { inTransaction } from '../../db/inTransaction.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { presentLink } from '../../events/presentLink.ts';
import { recordEvent } from '../../events/recordEvent.ts';
import { newId } from '../../kernel/ids.ts';
import { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';
import { generateSlug } from '../../routing/generateSlug.ts';
import { checkLink, linkDomain } from './checkLink.ts';
import { type LinkInput, linkColumns } from './linkInput.ts';
import { setLinkTags } from './linkTags.ts';
import { isSlugTaken, refuseDuplicates } from './refuseDuplicates.ts';

/** How often a generated slug may hit a used one before we say so: with 7 characters a second hit is already rare. */
const GENERATIONS = 8;

/** Makes a link. Throws `validation_failed`, `slug_taken`, or `conflict` for a used external id. */
export async function createLink(principal: Principal, input: LinkInput & { projectId: string }): Promise<Link> {
  const { project, domain } = await checkNewLink(principal, input);
  for (let generation = 1; ; generation += 1) {
    const slug = input.slug ?? generateSlug();
    try {
      return await inTransaction((transaction) => insertLink(project, input, domain, slug, transaction));
    } catch (error) {
      if (input.slug || generation === GENERATIONS || !isSlugTaken(error))
        throw refuseDuplicates(error, domain, slug, input);
    }
  }
}

/** Whether the link is possible, without making it: its project and domain. */
export async function checkNewLink(principal: Principal, input: LinkInput & { projectId: string }) {
  const project = await authorizeProject(principal, 'links:write', input.projectId);
  const domain = linkDomain(project, input);
  checkLink(project, input, domain);
  return { project, domain };
}

async function insertLink(project: Project, input: LinkInput, domain: string, slug: string, transaction: Transaction) {
  const link = await Link.create(
    { id: newId('lnk'), projectId: project.id, domain, slug, data: {}, ...linkColumns(input) },
    { transaction },
  );
  const tags = await setLinkTags(project.id, link.id, input.tags ?? [], transaction);
  const names = tags.map((tag) => tag.name);
  await recordEvent(transaction, {
    type: 'link.created',
    teamId: project.teamId,
    projectId: project.id,
    linkId: link.id,
    tagIds: tags.map((tag) => tag.id),
    data: { link: presentLink(link, names) },
  });
  await announce(transaction, 'link', `${domain}/${slug}`);
  return link;
}
