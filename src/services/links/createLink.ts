import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { recordAudits } from '../../audit/recordAudit.ts';
import type { Transaction } from '../../db/sequelize.ts';
import { together } from '../../db/together.ts';
import { PRESENTERS } from '../../events/presenters.ts';
import { presentLink } from '../../events/presentLink.ts';
import { recordEvents } from '../../events/recordEvent.ts';
import { CodedError } from '../../kernel/errors.ts';
import { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';
import { usableDomains } from '../domains/usableDomains.ts';
import { aboutLink } from './aboutLink.ts';
import { checkLink, linkDomain } from './checkLink.ts';
import { insertLinks } from './insertLinks.ts';
import type { LinkInput } from './linkInput.ts';
import { type PreparedLink, prepareLinks } from './prepareLinks.ts';

type NewLink = LinkInput & { projectId: string };

interface Creation {
  principal: Principal;
  project: Project;
  prepared: PreparedLink;
}

/** Makes a link. Throws `validation_failed`, `slug_taken`, or `conflict` for a used external id. */
export async function createLink(principal: Principal, input: NewLink): Promise<Link> {
  const project = await authorizeProject(principal, 'links:write', input.projectId);
  const [prepared] = await prepareLinks(project, [input]);
  if (!prepared || prepared instanceof CodedError) throw prepared;
  return createPrepared({ principal, project, prepared });
}

/** Makes one link and tells receivers of it, in one transaction with others that come at the same time. */
export const createPrepared = together(createAll);

async function createAll(creations: Creation[], transaction: Transaction): Promise<(Link | CodedError)[]> {
  const results: (Link | CodedError)[] = [];
  for (const { project, places } of byProject(creations)) {
    const prepared = places.map((at) => (creations[at] as Creation).prepared);
    const made = await insertLinks(project, prepared, {}, transaction);
    made.forEach((result, index) => {
      results[places[index] as number] = result;
    });
    const links = made.filter((result) => result instanceof Link);
    await recordEvents(
      transaction,
      links.map((link) => ({
        type: 'link.created',
        teamId: project.teamId,
        projectId: project.id,
        linkId: link.id,
        tagIds: link.tagIds ?? [],
        data: PRESENTERS['link.created'](presentLink(link, link.tagNames ?? [])),
      })),
    );
  }
  const notes = creations.flatMap(({ principal, project }, at) => {
    const link = results[at];
    return link instanceof Link
      ? [{ ...aboutLink(link, project), action: 'link.created' as const, actor: principal }]
      : [];
  });
  await recordAudits(transaction, notes);
  return results;
}

/** In the order of their teams, as the limits of new accounts are asked for everywhere. */
function byProject(creations: Creation[]): { project: Project; places: number[] }[] {
  const groups = new Map<string, { project: Project; places: number[] }>();
  creations.forEach(({ project }, at) => {
    const group = groups.get(project.id) ?? { project, places: [] };
    group.places.push(at);
    groups.set(project.id, group);
  });
  return [...groups.values()].sort((a, b) => (a.project.teamId < b.project.teamId ? -1 : 1));
}

/** Whether the link is possible, without making it. */
export async function checkNewLink(principal: Principal, input: NewLink): Promise<void> {
  const project = await authorizeProject(principal, 'links:write', input.projectId);
  const usable = await usableDomains(project.id, [input.domain]);
  checkLink(project, input, { domain: linkDomain(project, input), usable });
}
