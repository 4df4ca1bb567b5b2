import { authorizeTeam, requireSession } from '../../../access/authorize.ts';
import type { Principal } from '../../../access/principal.ts';
import { database } from '../../../db/database.ts';
import { literal, Op, type Transaction } from '../../../db/sequelize.ts';
import { Membership, type Role } from '../../../models/Membership.ts';
import { User } from '../../../models/User.ts';
import { type Order, type Position, stretchSql } from '../../keyset.ts';
import { type Page, type PageRequest, readPage } from '../../paging.ts';

export interface Member {
  userId: string;
  email: string;
  role: Role;
  /** Whether they sign in with a second factor; null where the reader is neither owner nor admin. */
  secondFactor: boolean | null;
  createdAt: Date;
}

/** In the order of joining. */
const JOINED: Order = { column: 'created_at', kind: 'time', hasNulls: false, direction: 'ASC', idColumn: 'user_id' };

/** Who belongs to a team, in the order of joining. */
export async function listMembers(principal: Principal, teamId: string, request: PageRequest): Promise<Page<Member>> {
  const { roles } = requireSession(principal);
  await authorizeTeam(principal, 'projects:read', teamId);
  const { data, nextCursor } = await readPage(JOINED, request, ['members', teamId], async (after, limit) => {
    const rows = await Membership.findAll({
      where: { [Op.and]: [{ teamId }, literal(sqlAfter(after))] },
      order: [
        ['createdAt', 'ASC'],
        ['userId', 'ASC'],
      ],
      limit,
    });
    return rows.map((membership) => ({ id: membership.userId, value: membership.createdAt, membership }));
  });
  const mine = roles.get(teamId);
  const isManager = mine === 'owner' || mine === 'admin';
  const members = await membersOf(data.map(({ membership }) => membership));
  return { data: isManager ? members : members.map((member) => ({ ...member, secondFactor: null })), nextCursor };
}

function sqlAfter(after: Position | null): string {
  return stretchSql(JOINED, { areNulls: false, after, through: null }, (value) => database().escape(value as string));
}

async function membersOf(memberships: Membership[]): Promise<Member[]> {
  const users = await User.findAll({ where: { id: { [Op.in]: memberships.map(({ userId }) => userId) } } });
  const byId = new Map(users.map((user) => [user.id, user]));
  return memberships.map((membership) => memberOf(membership, byId.get(membership.userId) ?? null));
}

/** A member as owners and admins see them. */
export async function shownMember(membership: Membership, transaction: Transaction): Promise<Member> {
  return memberOf(membership, await User.findByPk(membership.userId, { transaction }));
}

function memberOf({ userId, role, createdAt }: Membership, user: User | null): Member {
  return { userId, email: user?.email ?? '', role, secondFactor: Boolean(user?.totpEnabledAt), createdAt };
}
