import { performance } from 'node:perf_hooks';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { type Execution, execute } from '../../schema/execute.ts';
import { now } from '../../src/kernel/clock.ts';
import { mapYielding } from '../../src/kernel/yield.ts';
import { parseFor } from '../route.ts';
import { FORMAT_VERSION, MANIFEST, README, readmeOf } from './about.ts';
import { type ArchiveFile, documentOf, PROJECT_FILES, TEAM_FILES } from './archiveFiles.ts';
import type { Piece, ZipWriter } from './ZipWriter.ts';

/** What an archive is made of besides documents of GraphQL. */
export interface ArchiveSource {
  team: { id: string; name: string };
  beganAt: Date;
  /** Throws once the person may not have the archive any more. */
  checkAccess(): Promise<void>;
  /** A page of rows; `last` is null when there are none. */
  rows(
    table: Extract<ArchiveFile['source'], { kind: 'rows' }>['table'],
    projectId: string,
    after: Position | null,
  ): Promise<{ rows: object[]; last: Position | null }>;
}

interface Position {
  value: Date | number | null;
  id: string;
}

type Asking = Pick<Execution, 'context'>['context'];
type WriteArchive = (writer: ZipWriter, archive: ArchiveSource, context: Asking) => Promise<void>;

/** Often enough for somebody who was removed, and rare beside the pages. */
const CHECK_ACCESS_MS = 10_000;

const PROJECTS = `query ($id: ID!, $cursor: String) {
  projects(teamId: $id, limit: 100, cursor: $cursor) { data { id } next_cursor: nextCursor } }`;

/** Checks the documents of all files, and returns what writes an archive by them. */
export function prepareArchive(schema: GraphQLSchema): WriteArchive {
  const projects = parseFor(schema, PROJECTS);
  const documents = new Map<ArchiveFile, DocumentNode>();
  for (const file of [...TEAM_FILES, ...PROJECT_FILES]) {
    const { source } = file;
    if (source.kind === 'object') documents.set(file, parseFor(schema, source.document));
    if (source.kind === 'list') documents.set(file, parseFor(schema, documentOf(source, schema)));
  }
  return async (writer, archive, context) => {
    const { team } = archive;
    const ask = (document: DocumentNode, variables: Record<string, unknown>) =>
      execute({ schema, document, variables, context });
    const read = readerOf(archive, documents, ask);
    await writer.add(README, [{ text: readmeOf(team), rows: 0 }]);
    for (const file of TEAM_FILES) await writer.add(file.name, read(file, team.id));
    for await (const page of pagesOf(ask, projects, team.id)) {
      for (const { id } of page as { id: string }[]) {
        for (const file of PROJECT_FILES) await writer.add(`projects/${id}/${file.name}`, read(file, id));
      }
    }
    await writer.add(MANIFEST, [{ text: manifestOf(archive, writer), rows: 0 }]);
  };
}

type Ask = (document: DocumentNode, variables: Record<string, unknown>) => Promise<unknown>;

function readerOf(archive: ArchiveSource, documents: ReadonlyMap<ArchiveFile, DocumentNode>, ask: Ask) {
  let checkedAt = performance.now();
  const checkAccess = async () => {
    if (performance.now() - checkedAt < CHECK_ACCESS_MS) return;
    await archive.checkAccess();
    checkedAt = performance.now();
  };
  return async function* read(file: ArchiveFile, id: string): AsyncGenerator<Piece> {
    const { source } = file;
    const document = documents.get(file) as DocumentNode;
    if (source.kind === 'object') {
      yield { text: `${JSON.stringify(await ask(document, { id }), null, 2)}\n`, rows: 1 };
      return;
    }
    const pages = source.kind === 'list' ? pagesOf(ask, document, id) : rowPagesOf(archive, source.table, id);
    for await (const page of pages) {
      const rows = 'keeps' in source && source.keeps ? page.filter(source.keeps) : page;
      const lines = await mapYielding(rows, (row) => `${JSON.stringify(row)}\n`);
      yield { text: lines.join(''), rows: lines.length };
      await checkAccess();
    }
  };
}

/** Each page is asked for when the one before has been taken. */
async function* pagesOf(ask: Ask, document: DocumentNode, id: string): AsyncGenerator<object[]> {
  let cursor: string | null = null;
  do {
    const page = (await ask(document, { id, cursor })) as { data: object[]; next_cursor: string | null };
    yield page.data;
    cursor = page.next_cursor;
  } while (cursor);
}

async function* rowPagesOf(
  archive: ArchiveSource,
  table: Parameters<ArchiveSource['rows']>[0],
  projectId: string,
): AsyncGenerator<object[]> {
  let position: Position | null = null;
  do {
    const page = await archive.rows(table, projectId, position);
    yield page.rows;
    position = page.last;
  } while (position);
}

function manifestOf({ team, beganAt }: ArchiveSource, { files }: ZipWriter): string {
  const manifest = {
    format_version: FORMAT_VERSION,
    team: { id: team.id, name: team.name },
    began_at: beganAt.toISOString(),
    finished_at: now().toISOString(),
    files,
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}
