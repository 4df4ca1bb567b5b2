import type { Context } from './context.ts';
import { VERSION } from './version.ts';

/** The version of the server: that of the command line that it offers. Null: it offers none, as before there was one. */
export async function serverVersion(context: Context): Promise<string | null> {
  const client = await context.client();
  const answer = await client.request({ method: 'GET', path: '/downloads' }, { signal: context.signal });
  const { data } = answer.json<{ data: { name: string; version: string }[] }>();
  const versions = data.filter(({ name }) => name === 'SVC-CLI').map(({ version }) => version);
  return versions.sort(compareVersions).at(-1) ?? null;
}

/** What to say about an operation or a field that the server does not know, if it is older than this command line. */
export async function olderServerAdvice(context: Context): Promise<string | null> {
  const server = await serverVersion(context).catch(() => VERSION);
  if (server !== null && compareVersions(server, VERSION) >= 0) return null;
  return `Your server is ${server ?? 'older than its command line'}, and this svc is ${VERSION}: it may not know this yet.`;
}

/** Below 0 if the first is the older one. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((version) => version.split(/[.-]/).map(Number)) as [number[], number[]];
  for (const [at, part] of a.entries()) {
    const difference = part - (b[at] ?? 0);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
  }
  return 0;
}
