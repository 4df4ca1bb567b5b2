/** The end of the last request to each host that is asked at the moment. */
const turns = new Map<string, Promise<unknown>>();

/** Runs `ask` when no other request to that host is under way: hosts that many projects lead to are not flooded. */
export async function takeTurn<Result>(host: string, ask: () => Promise<Result>): Promise<Result> {
  const before = turns.get(host) ?? Promise.resolve();
  const mine = before.then(ask, ask);
  const ended = mine.catch(() => {});
  turns.set(host, ended);
  try {
    return await mine;
  } finally {
    if (turns.get(host) === ended) turns.delete(host);
  }
}
