import { requireSession } from '../../access/authorize.ts';
import type { Principal } from '../../access/principal.ts';
import { Op } from '../../db/sequelize.ts';
import { now } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/secrets.ts';
import { Session } from '../../models/Session.ts';
import type { Order, Position } from '../keyset.ts';
import { type Page, type PageRequest, readPage } from '../paging.ts';

/** A sign-in as its person sees it. */
export interface ShownSession {
  id: string;
  userAgent: string | null;
  isCurrent: boolean;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}

const NEWEST_FIRST: Order = { column: 'created_at', kind: 'time', hasNulls: false, direction: 'DESC' };

/** The sessions of the signed-in person that have not ended, newest first. There are a hundred at most. */
export async function listSessions(principal: Principal, request: PageRequest): Promise<Page<ShownSession>> {
  const { userId, tokenHash } = requireSession(principal);
  return readPage(NEWEST_FIRST, request, ['sessions', userId], async (after, count) => {
    const sessions = await Session.findAll({ where: { userId, expiresAt: { [Op.gt]: now() } } });
    const shown = sessions.map((session) => shownSession(session, tokenHash)).sort(newestFirst);
    return shown.filter((session) => after === null || newestFirst(session, spotOf(after)) > 0).slice(0, count);
  });
}

type Spot = Pick<ShownSession, 'id' | 'createdAt'>;

function newestFirst(one: Spot, other: Spot): number {
  return other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : one.id > other.id ? -1 : 0);
}

function spotOf({ id, value }: Position): Spot {
  return { id, createdAt: value as Date };
}

/** Stands for a session where people name it; its token does not follow from it, nor does what is stored of that. */
export function sessionId(tokenHash: string): string {
  return sha256(tokenHash).slice(0, 32);
}

function shownSession({ tokenHash, userAgent, createdAt, lastUsedAt, expiresAt }: Session, current: string) {
  const times = { createdAt, lastUsedAt: lastUsedAt ?? createdAt, expiresAt };
  const id = sessionId(tokenHash);
  return { id, value: createdAt, userAgent, isCurrent: tokenHash === current, ...times };
}
