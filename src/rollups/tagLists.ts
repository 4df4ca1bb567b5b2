import { allKeys } from './keys.ts';

/** The tag ids that each number of a list of tags stands for; 0 has none. */
export async function readTagLists(projectId: string): Promise<Map<number, string[]>> {
  const lists = await allKeys(projectId, 'tag');
  return new Map([...lists].map(([number, list]) => [number, JSON.parse(list)]));
}
