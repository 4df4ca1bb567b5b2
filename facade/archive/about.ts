import { config } from '../../src/kernel/config.ts';
import { type ArchiveFile, PROJECT_FILES, TEAM_FILES } from './archiveFiles.ts';

/** Raised when a program that reads archives would have to change. New files and new fields do not raise it. */
export const FORMAT_VERSION = 1;

export const MANIFEST = 'manifest.json';
export const README = 'README.txt';

const linesOf = (files: readonly ArchiveFile[]) =>
  files.map(({ name, about }) => `  ${name.padEnd(20)} ${about}`).join('\n');

/** The text for people who open an archive. */
export function readmeOf(team: { id: string; name: string }): string {
  // A name may not break the lines of the text.
  const name = team.name.replace(/\s+/g, ' ');
  return `Archive of the team ${name} (${team.id}) at ${config.baseUrl}

The team
${linesOf(TEAM_FILES)}

Each project, in projects/<id>/
${linesOf(PROJECT_FILES)}

${MANIFEST} is the last file. It names every other file with its rows, its bytes and its SHA-256. An archive without it was cut
off: download it again.

Format
  .ndjson is one JSON object a line, newest first (members: in the order of joining). Text is UTF-8.
  Names of fields are those of the REST API, which describes them: ${config.baseUrl}/api/v1/openapi.json
  Times are UTC in ISO 8601. Fields that end in _seconds or _ms have these units. Countries are ISO 3166-1, regions
  ISO 3166-2, currencies ISO 4217. null means unknown or unset.
  What happened while the archive was written may be in one file and not in another.

Not included
  Secrets of webhooks, secret keys, passwords and their hashes, tokens, addresses of visitors and their hashes.
  Events of the whole team: each is an alert in alerts.ndjson. Figures, which follow from clicks, opens and app events.
  What was deleted, and what is older than this installation keeps it.
`;
}
