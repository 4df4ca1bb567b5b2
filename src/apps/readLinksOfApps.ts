import { select } from '../db/database.ts';
import { readByIds } from '../db/readModels.ts';
import type { Transaction } from '../db/sequelize.ts';
import { Link } from '../models/Link.ts';
import { tagsOfLinks } from '../services/links/linkTags.ts';

interface Row {
  project_id: string;
  link_id: string | null;
}

/** What is around rows of apps when webhooks are told of them. */
export interface LinksOfApps {
  /** Null: the row has no link, or it was deleted. */
  linkOf(row: Row): Link | null;
  tagIdsOf(row: Row): string[];
  /** Undefined: the project was deleted. */
  teamOf(projectId: string): string | undefined;
}

export async function readLinksOfApps(rows: readonly Row[], transaction: Transaction): Promise<LinksOfApps> {
  const linkIds = [...new Set(rows.flatMap(({ link_id }) => link_id ?? []))];
  const links = new Map((await readByIds(Link, linkIds, transaction)).map((link) => [link.id, link]));
  const tags = await tagsOfLinks(linkIds, transaction);
  const projectIds = [...new Set(rows.map(({ project_id }) => project_id))];
  const projects =
    projectIds.length === 0
      ? []
      : await select<{ id: string; team_id: string }>(
          'SELECT id, team_id FROM projects WHERE id IN (:projectIds)',
          { projectIds },
          transaction,
        );
  const teams = new Map(projects.map(({ id, team_id }) => [id, team_id]));
  return {
    linkOf: ({ link_id }) => links.get(link_id ?? '') ?? null,
    tagIdsOf: ({ link_id }) => tags.get(link_id ?? '')?.map(({ id }) => id) ?? [],
    teamOf: (projectId) => teams.get(projectId),
  };
}
