import { authorizeProject } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { CodedError, validationFailed } from '../../kernel/errors.ts';
import { Link } from '../../models/Link.ts';
import type { Project } from '../../models/Project.ts';
import { createPrepared } from './createLink.ts';
import type { LinkChange } from './linkInput.ts';
import { prepareLinks } from './prepareLinks.ts';
import { updateLink } from './updateLink.ts';

/** How often a link that came or went between the look and the write is looked at anew. */
const TRIES = 5;

const MAX_EXTERNAL_ID = 200;

interface Upsert {
  projectId: string;
  externalId: string;
  input: LinkChange;
}

/**
 * Creates the link with that external id, or changes the fields that are sent of the one that has it. Two at once make
 * one link. Throws `validation_failed`, `slug_taken`, `destination_refused`.
 */
export async function upsertLink(
  principal: Principal,
  { projectId, externalId, input }: Upsert,
): Promise<{ created: boolean; link: Link }> {
  const project = await authorizeProject(principal, 'links:write', projectId);
  if (externalId.length < 1 || externalId.length > MAX_EXTERNAL_ID) {
    const message = `Must have 1 to ${MAX_EXTERNAL_ID} characters, well-formed in the path.`;
    throw validationFailed([{ path: 'external_id', message }]);
  }
  for (let attempt = 1; ; attempt += 1) {
    const found = await Link.findOne({ attributes: ['id'], where: { projectId: project.id, externalId } });
    try {
      if (found) return { created: false, link: await updateLink(principal, found.id, input) };
      return { created: true, link: await create(principal, project, externalId, input) };
    } catch (error) {
      const wasOvertaken =
        error instanceof CodedError && error.code === (found ? 'not_found' : 'conflict') && attempt < TRIES;
      if (!wasOvertaken) throw error;
    }
  }
}

async function create(
  principal: Principal,
  project: Project,
  externalId: string,
  { archived, ...input }: LinkChange,
): Promise<Link> {
  const { destination } = input;
  if (destination === undefined) {
    throw validationFailed([
      { path: 'destination', message: 'Is required: there is no link with this external id yet.' },
    ]);
  }
  const [prepared] = await prepareLinks(project, [{ ...input, destination, externalId }]);
  if (!prepared || prepared instanceof CodedError) throw prepared;
  return createPrepared({ principal, project, prepared });
}
