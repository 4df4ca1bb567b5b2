import { sqlTime } from '../../db/jsonRows.ts';
import type { Bind } from '../../db/selectWritten.ts';
import type { LinkStatus } from '../../routing/status.ts';
import { type Condition, indexSource } from './condition.ts';

/** Stands for the present moment; asked for only where the SQL has it. */
type Moment = () => string;

interface Rule {
  status: LinkStatus;
  holds(at: Moment): string;
  fails(at: Moment): string;
  /** The index of links that it may hold for, and what is true of each of them, in the words of the index. */
  index: string;
  indexed: string;
  /** It holds for all of them. */
  isExact: boolean;
}

const IN_USE = 'flagged_at IS NULL AND archived_at IS NULL';

/** The same precedence as routing/status: the first that holds, and a link is active when none does. */
const RULES: Rule[] = [
  {
    status: 'flagged',
    holds: () => 'flagged_at IS NOT NULL',
    fails: () => 'flagged_at IS NULL',
    index: 'links_flagged',
    indexed: 'flagged_at IS NOT NULL',
    isExact: true,
  },
  {
    status: 'archived',
    holds: () => 'archived_at IS NOT NULL',
    fails: () => 'archived_at IS NULL',
    index: 'links_archived',
    indexed: 'flagged_at IS NULL AND archived_at IS NOT NULL',
    isExact: true,
  },
  {
    status: 'scheduled',
    holds: (at) => `starts_at > ${at()}`,
    fails: (at) => `(starts_at > ${at()}) IS NOT TRUE`,
    index: 'links_starting',
    indexed: `${IN_USE} AND starts_at IS NOT NULL`,
    isExact: false,
  },
  {
    status: 'expired',
    holds: (at) => `(expires_at <= ${at()} OR clicks >= click_limit)`,
    fails: (at) => `(expires_at <= ${at()} OR clicks >= click_limit) IS NOT TRUE`,
    index: 'links_ending',
    indexed: `${IN_USE} AND (expires_at IS NOT NULL OR click_limit IS NOT NULL)`,
    isExact: false,
  },
];

/** That a link has this status at that moment. */
export function statusCondition(projectId: string, status: string, at: Date): Condition {
  const place = RULES.findIndex((rule) => rule.status === status);
  const rule = RULES[place];
  const before = rule ? RULES.slice(0, place) : RULES;
  const test = (bind: Bind) => {
    const moment = momentOf(at, bind);
    return [...before.map(({ fails }) => fails(moment)), ...(rule ? [rule.holds(moment)] : [])].join(' AND ');
  };
  if (!rule) return { test };
  const { index, indexed, isExact } = rule;
  return { test, source: indexSource(projectId, index, () => indexed, { isExact, isByCreation: true }) };
}

/** The status of a link at that moment, as an expression. */
export function statusSql(at: Date, bind: Bind): string {
  const moment = momentOf(at, bind);
  return `CASE ${RULES.map(({ status, holds }) => `WHEN ${holds(moment)} THEN '${status}'`).join(' ')} ELSE 'active' END`;
}

function momentOf(at: Date, bind: Bind): Moment {
  let bound: string | undefined;
  return () => {
    bound ??= bind(sqlTime(at.getTime()));
    return bound;
  };
}
