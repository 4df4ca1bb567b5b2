import { stableJson } from './compare.ts';
import type { Plan } from './types.ts';

/** As many characters are hashed at a time: plans of 100,000 links have some 100 MB. */
const CHUNK_CHARACTERS = 1 << 20;

/** Of the actions, and of the state of their targets. Not of names of files and lines. */
export async function digestOf({ stack, project, actions }: Omit<Plan, 'digest'>): Promise<string> {
  const hashes: string[] = [];
  let chunk = stableJson([stack, project.id]);
  for (const { file: _, line: __, note: ___, title: ____, ...said } of actions) {
    chunk += `\n${stableJson(said)}`;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    hashes.push(await sha256(chunk));
    chunk = '';
  }
  return sha256([...hashes, chunk].join('\n'));
}

async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
