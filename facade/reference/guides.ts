import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { config } from '../../src/kernel/config.ts';
import { PRODUCT_FOLDER } from '../../src/kernel/version.ts';

/** A page of the repository that people and assistants who use this installation read. */
interface Guide {
  /** `/docs/<name>.md`. */
  name: string;
  file: string;
  /** What it is about, in one line. */
  note: string;
  /** Not needed to work with the API: what operators read, and how to move here. */
  isOptional?: true;
}

export const GUIDES: readonly Guide[] = [
  { name: 'start', file: 'README.md', note: 'what this is, and the first link and webhook in five minutes' },
  {
    name: 'tour',
    file: 'docs/tour.md',
    note: 'the API by example: webhooks, imports, analytics, app links, domains, health',
  },
  {
    name: 'webhooks',
    file: 'sdk/webhooks/README.md',
    note: 'verifying signed webhooks in Node, with receivers to copy',
  },
  { name: 'apps', file: 'sdk/app/README.md', note: 'the SDK for apps: opens, deep links, installs, app events' },
  { name: 'client', file: 'sdk/client/README.md', note: 'the TypeScript client: calls, lists, retries, errors' },
  { name: 'clients', file: 'docs/clients.md', note: 'clients for other languages, made from the OpenAPI document' },
  { name: 'mcp', file: 'docs/mcp.md', note: 'connecting assistants: MCP server, tools, limits' },
  { name: 'cli', file: 'docs/cli.md', note: 'the command line `svc`: commands, output, exit codes' },
  {
    name: 'links-as-code',
    file: 'docs/links-as-code.md',
    note: 'links, tags, domains and webhooks from a file, planned and applied in CI',
  },
  { name: 'domains', file: 'docs/domains.md', note: 'link domains of your own: records, proof, certificates' },
  { name: 'matching', file: 'docs/matching.md', note: 'how an install finds the click that led to it' },
  {
    name: 'operate',
    file: 'docs/operate.md',
    note: 'running it: settings, PostgreSQL, roles, TLS, backups, metrics',
    isOptional: true,
  },
  { name: 'accounts', file: 'docs/accounts.md', note: 'people, teams, sign-in and invitations', isOptional: true },
  { name: 'mail', file: 'docs/mail.md', note: 'mails and the mail server', isOptional: true },
  { name: 'anomalies', file: 'docs/anomalies.md', note: 'how unusual traffic is recognized', isOptional: true },
  { name: 'privacy', file: 'docs/privacy.md', note: 'what is kept about people, and for how long', isOptional: true },
  { name: 'archive', file: 'docs/archive.md', note: 'the archive of a team', isOptional: true },
  {
    name: 'moving-from-firebase-dynamic-links',
    file: 'docs/moving-from-firebase-dynamic-links.md',
    note: 'each call of Firebase Dynamic Links with its counterpart',
    isOptional: true,
  },
  {
    name: 'moving-from-branch',
    file: 'docs/moving-from-branch.md',
    note: 'each call of Branch with its counterpart',
    isOptional: true,
  },
];

export interface ReadGuide extends Guide {
  title: string;
  /** With links that lead somewhere on this installation. */
  markdown: string;
}

/** The guides as this installation serves them. What is not installed, as beside a build without its sources, is left out. */
export function readGuides(): ReadGuide[] {
  return GUIDES.flatMap((guide) => {
    const text = readFile(guide.file);
    if (text === null) return [];
    const markdown = adapted(text, guide.file);
    return [{ ...guide, title: titleOf(markdown), markdown }];
  });
}

function readFile(file: string): string | null {
  const place = path.join(PRODUCT_FOLDER ?? '.', file);
  return existsSync(place) ? readFileSync(place, 'utf8') : null;
}

function titleOf(markdown: string): string {
  return /^# (.+)$/m.exec(markdown)?.[1] ?? '';
}

/** Packages say in their files what stands for an installation. Here it is this one. */
const ABOUT_STAND_IN = /In\s+place\s+of\s+svc\.example\.com\s+comes\s+your\s+installation,\s+which/g;

/** The addresses that stand for an installation in the guides. */
const STAND_INS = /https:\/\/svc\.example\.com|http:\/\/localhost:3000/g;

function adapted(text: string, file: string): string {
  return text
    .replaceAll(/^<!-- .* -->\n/gm, '')
    .replaceAll(ABOUT_STAND_IN, 'This installation')
    .replaceAll(STAND_INS, config.baseUrl)
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (link, label: string, target: string) => {
      if (/^(https?:|mailto:|#)/.test(target)) return link;
      const [wanted = '', anchor] = target.split('#');
      const place = path.posix.join(path.posix.dirname(file), wanted).replace(/\/$/, '');
      const guide = GUIDES.find(({ file }) => file === place || file === `${place}/README.md`);
      // What is about the code has no place among the guides.
      return guide ? `[${label}](/docs/${guide.name}.md${anchor ? `#${anchor}` : ''})` : label;
    });
}
