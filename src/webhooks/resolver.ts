import { lookup } from 'node:dns/promises';

/** Every address of a host name. Rejects with the system's code: ENOTFOUND when the name has none. */
export type Resolver = (hostname: string) => Promise<{ address: string; family: 4 | 6 }[]>;

const underWay = new Map<string, ReturnType<Resolver>>();

/**
 * Asks as the system does, /etc/hosts included. Questions for one name share one answer while it is under way: libuv
 * looks up two names at a time, and the many deliveries for one dead name must not take both places.
 */
export const systemResolver: Resolver = (hostname) => {
  const asked = underWay.get(hostname);
  if (asked) return asked;
  const question = lookup(hostname, { all: true, order: 'verbatim' })
    .then((found) =>
      found.map(({ address, family }) => ({ address, family: family === 6 ? (6 as const) : (4 as const) })),
    )
    .finally(() => underWay.delete(hostname));
  underWay.set(hostname, question);
  return question;
};
