import { User } from '../../models/User.ts';

/** A user by id; null when there is none. */
export function findUser(id: string): Promise<User | null> {
  return User.findByPk(id);
}
