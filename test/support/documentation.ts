import { type Manifest, makeManifest } from '../../facade/manifest.ts';
import { compileRoutes } from '../../facade/route.ts';
import { buildGraphqlSchema } from '../../schema/build.ts';
import type { World } from './world.ts';

/** The manifest of the product that runs, for the tests of this block. */
export function useManifest(): Manifest {
  const manifest = {} as Manifest;
  before(() => {
    const schema = buildGraphqlSchema();
    Object.assign(manifest, makeManifest(compileRoutes(schema), schema));
  });
  return manifest;
}

/** A page as it was answered. */
export interface Fetched {
  status: number;
  type: string;
  text: string;
}

/** Fetches a page of the documentation, which needs no key; each once. */
export function fetcher(world: World): (path: string, accept?: string) => Promise<Fetched> {
  const known = new Map<string, Promise<Fetched>>();
  const ask = async (path: string, accept: string): Promise<Fetched> => {
    const answer = await fetch(world.origin + path, { headers: { Accept: accept } });
    return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
  };
  return (path, accept = '*/*') => {
    const key = `${accept} ${path}`;
    const asked = known.get(key) ?? ask(path, accept);
    known.set(key, asked);
    return asked;
  };
}

/** The paths of the pages for people, found as people find them: in the navigation of the first one. */
export async function pagesOf(world: World): Promise<string[]> {
  const { text } = await fetcher(world)('/reference');
  const [, navigation = ''] = /<nav[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
  return [...navigation.matchAll(/href="([^"]+)"/g)].map(([, path]) => path as string);
}
