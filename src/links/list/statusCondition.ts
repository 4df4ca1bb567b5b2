import { sqlTime } from '../../db/jsonRows.ts';
import type { Bind } from '../../db/query.ts';
import type { LinkStatus } from '../../routing/status.ts';
import { type Condition, indexSource } from './condition.ts';

/** Returns the parameter of the current time, which is bound only if the SQL contains it. */
type Moment = () => string;

interface Rule {
  status: LinkStatus;
  holds(at: Moment): string;
  fails(at: Moment): string;
  /** A partial index that contains all links with this status, and the index's own condition. */
  index: string;
  indexed: string;
  /** Every link of the index has this status. */
  isExact: boolean;
}

const IN_USE = 'flagged_at IS NULL AND archived_at IS NULL';

/** In the precedence of `linkStatus`: the first rule that holds decides; a link is active when none does. */
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

/** The condition that a link has this status at that time. */
export function statusCondition(projectId: string, status: string, at: Date): Condition {
  const index = RULES.findIndex((rule) => rule.status === status);
  const rule = RULES[index];
  const before = rule ? RULES.slice(0, index) : RULES;
  const test = (bind: Bind) => {
    const moment = momentOf(at, bind);
    return [...before.map(({ fails }) => fails(moment)), ...(rule ? [rule.holds(moment)] : [])].join(' AND ');
  };
  if (!rule) return { test };
  const { indexed, isExact } = rule;
  return { test, source: indexSource(projectId, rule.index, () => indexed, { isExact, isByCreation: true }) };
}

/** The SQL expression for the status of a link at that time. */
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
