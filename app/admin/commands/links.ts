import { parseArgs } from 'node:util';
import { findPage, type Page } from '../../../src/db/paging.ts';
import { Op, type WhereOptions } from '../../../src/db/sequelize.ts';
import { shortUrl } from '../../../src/kernel/origins.ts';
import { snakeCase } from '../../../src/kernel/wire.ts';
import { clearFlag, flagLink } from '../../../src/links/flagService.ts';
import { Link } from '../../../src/models/Link.ts';
import { Project } from '../../../src/models/Project.ts';
import { Team } from '../../../src/models/Team.ts';
import { type AdminCommand, type AdminContext, reasonOf, WrongArguments } from './AdminCommand.ts';

export const LINK_COMMANDS: AdminCommand[] = [
  {
    name: 'list-flagged',
    usage: '[--team=TEAM_ID] [--review] [--limit=N] [--cursor=CURSOR] [--json]',
    about:
      'prints flagged links, newest flag first, with the reason and whether a review was requested (--review: only those)',
    run: (args, context) => listFlagged(optionsOf(args), context),
  },
  {
    name: 'flag',
    usage: 'LINK_ID REASON…',
    about: 'disables a link at once and shows its owners the reason; a requested review waits for clear-flag',
    async run([id, ...words]) {
      if (!id) throw new WrongArguments();
      return (await flagLink(id, reasonOf(words))) ? `${id} is flagged.` : `${id} is flagged for this reason already.`;
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

interface ListOptions {
  team?: string;
  review?: boolean;
  limit: number;
  cursor?: string;
  json?: boolean;
}

function optionsOf(args: string[]): ListOptions {
  try {
    const text = { type: 'string' } as const;
    const flag = { type: 'boolean' } as const;
    const { values } = parseArgs({
      args,
      options: { team: text, review: flag, limit: text, cursor: text, json: flag },
    });
    const limit = values.limit === undefined ? Number.POSITIVE_INFINITY : Number(values.limit);
    if (values.limit !== undefined && !/^[1-9]\d{0,8}$/.test(values.limit)) throw new WrongArguments();
    return { ...values, limit };
  } catch {
    throw new WrongArguments();
  }
}

/** Links that are read at a time, so that a long list stays out of memory. */
const PAGE = 100;

async function listFlagged(
  { team, review = false, limit, cursor, json }: ListOptions,
  { print, showProgress }: AdminContext,
): Promise<string> {
  const where = await conditionOf(team, review);
  let shown = 0;
  let next: string | null = cursor ?? null;
  do {
    const page: Page<Link> = await findPage(
      Link,
      where,
      { limit: Math.min(PAGE, limit - shown), cursor: next },
      ['flagged', team ?? null, review],
      { attribute: 'flaggedAt', direction: 'DESC' },
    );
    if (page.data.length > 0) await print(page.data.map(json ? jsonOf : lineOf).join('\n'));
    shown += page.data.length;
    next = page.nextCursor;
  } while (next !== null && shown < limit);
  if (next !== null) showProgress(`There are more: --cursor=${next}`);
  return shown === 0 && !json ? `No ${review ? 'review is requested' : 'link is flagged'}.` : '';
}

async function conditionOf(teamId: string | undefined, review: boolean): Promise<WhereOptions> {
  const conditions: WhereOptions[] = [{ flaggedAt: { [Op.ne]: null } }];
  if (review) conditions.push({ reviewRequestedAt: { [Op.ne]: null } });
  if (teamId !== undefined) {
    if ((await Team.unscoped().count({ where: { id: teamId } })) === 0) throw new Error(`There is no team ${teamId}.`);
    const projects = await Project.findAll({ attributes: ['id'], where: { teamId } });
    conditions.push({ projectId: { [Op.in]: projects.map(({ id }) => id) } });
  }
  return { [Op.and]: conditions };
}

function lineOf(link: Link): string {
  const review = link.reviewRequestedAt ? `review requested ${link.reviewRequestedAt.toISOString()}` : 'no review';
  const by = link.flaggedBy ?? 'operator';
  const parts = [link.id, shortUrl(link.domain, link.slug), link.flaggedAt?.toISOString(), by, review, link.flagReason];
  return parts.join('  ');
}

const SHOWN = ['id', 'projectId', 'destination', 'flaggedAt', 'flaggedBy', 'flagReason', 'reviewRequestedAt'] as const;

function jsonOf(link: Link): string {
  const fields = SHOWN.map((name) => [snakeCase(name), link[name]]);
  return JSON.stringify({ short_url: shortUrl(link.domain, link.slug), ...Object.fromEntries(fields) });
}
