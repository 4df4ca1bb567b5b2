import { Op, type WhereOptions } from '../../src/db/sequelize.ts';
import { shortUrl } from '../../src/kernel/origins.ts';
import { clearFlag, flagLink } from '../../src/links/flagService.ts';
import { Link } from '../../src/models/Link.ts';
import { Project } from '../../src/models/Project.ts';
import { type AdminCommand, WrongArguments } from './AdminCommand.ts';

/** The longest reason of a flag, in characters. */
const MAX_REASON_LENGTH = 500;

export const LINK_COMMANDS: AdminCommand[] = [
  {
    name: 'list-flagged',
    usage: '[--team=TEAM_ID]',
    about: 'prints every flagged link, newest flag first, with its reason and whether a review was requested',
    async run(args) {
      const [team, ...more] = args;
      if (more.length > 0 || (team !== undefined && !team.startsWith('--team='))) throw new WrongArguments();
      const links = await flaggedLinks(team?.slice('--team='.length));
      return links.length === 0 ? 'No link is flagged.' : links.map(lineOf).join('\n');
    },
  },
  {
    name: 'flag',
    usage: 'LINK_ID REASON…',
    about: 'disables a link at once and shows its owners the reason; a requested review waits for clear-flag',
    async run([id, ...words]) {
      const reason = words.join(' ').trim();
      if (!id || !reason || reason.length > MAX_REASON_LENGTH) throw new WrongArguments();
      return (await flagLink(id, reason)) ? `${id} is flagged.` : `${id} is flagged for this reason already.`;
    },
  },
  {
    name: 'clear-flag',
    usage: 'LINK_ID',
    about: 'enables a flagged link again; scans do not flag it for the same reason until its URLs change',
    async run([id, ...more]) {
      if (!id || more.length > 0) throw new WrongArguments();
      return (await clearFlag(id)) ? `The flag of ${id} is cleared.` : `${id} is not flagged.`;
    },
  },
];

async function flaggedLinks(teamId: string | undefined): Promise<Link[]> {
  const conditions: WhereOptions[] = [{ flaggedAt: { [Op.ne]: null } }];
  if (teamId !== undefined) {
    const projects = await Project.findAll({ attributes: ['id'], where: { teamId } });
    conditions.push({ projectId: { [Op.in]: projects.map(({ id }) => id) } });
  }
  return Link.findAll({ where: { [Op.and]: conditions }, order: [['flaggedAt', 'DESC']] });
}

function lineOf(link: Link): string {
  const review = link.reviewRequestedAt ? `review requested ${link.reviewRequestedAt.toISOString()}` : 'no review';
  const by = link.flaggedBy ?? 'operator';
  const parts = [link.id, shortUrl(link.domain, link.slug), link.flaggedAt?.toISOString(), by, review, link.flagReason];
  return parts.join('  ');
}
