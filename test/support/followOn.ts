import { get } from 'node:http';
import { AGENTS } from './agents.ts';
import type { Child } from './child.ts';

/** Follows a link of a link domain at a process, as a person; `to` is where it leads. */
export function followOn(
  { origin }: Pick<Child, 'origin'>,
  domain: string,
  slug: string,
): Promise<{ status: number; to: string | undefined }> {
  return new Promise((resolve, reject) => {
    const headers = { 'User-Agent': AGENTS.human, Host: domain };
    get(`${origin}/${slug}`, { headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, to: response.headers.location }));
    }).on('error', reject);
  });
}

/** What a process answers to a person who asks for a path of a link domain. */
export function readOn(
  { origin }: Pick<Child, 'origin'>,
  domain: string,
  path: string,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'User-Agent': AGENTS.human, Host: domain };
    get(`${origin}/${path}`, { headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    }).on('error', reject);
  });
}
