import type { GraphQLSchema } from 'graphql';
import type Koa from 'koa';
import { sessionSteps } from '../../schema/server.ts';
import type { Principal } from '../../src/access/principal.ts';
import { CodedError, methodNotAllowed, notFound } from '../../src/kernel/errors.ts';
import { isId } from '../../src/kernel/ids.ts';
import { log } from '../../src/kernel/log.ts';
import { OWN_PATHS } from '../../src/kernel/origins.ts';
import { type Mounts, whileStoreAnswers } from '../app.ts';
import { type Pace, watchPace } from './clientPace.ts';
import { type ArchiveSource, prepareArchive } from './writeArchive.ts';
import { sendZip } from './ZipWriter.ts';

/** What the archives of a process are opened with; see src/archive/archiveService.ts. */
export interface Archives {
  open(principal: Principal, teamId: string): Promise<ArchiveSource & { signal: AbortSignal; close(): void }>;
}

/**
 * A client that reads nothing for two minutes, or for longer less than half a megabit a second, keeps others from their
 * archives and is cut off.
 */
const PACE: Pace = { bytesPerSecond: 65_536, slackMs: 120_000, everyMs: 1000 };

const ARCHIVE = new RegExp(`^${OWN_PATHS.teamFiles}/([^/]+)/archive\\.zip$`);

/** Serves `GET /graphql/teams/<id>/archive.zip` to owners: everything that a team has, as one file. */
export function archiveMounts(schema: GraphQLSchema, archives: Archives): Mounts {
  const write = prepareArchive(schema);
  const answer: Koa.Middleware = async (ctx) => {
    if (ctx.state.principal.kind !== 'session') throw new CodedError('not_signed_in', 'Sign in first.');
    const [, teamId] = ARCHIVE.exec(ctx.path) ?? [];
    if (teamId === undefined) throw notFound('page');
    if (ctx.method !== 'GET') {
      ctx.set('Allow', 'GET');
      throw methodNotAllowed(ctx.method, ['GET']);
    }
    if (!isId('team', teamId)) throw notFound('team');
    const archive = await archives.open(ctx.state.principal, teamId);
    const endWatch = watchPace(ctx.res, PACE);
    try {
      ctx.status = 200;
      const name = fileName(archive.team.name, archive.beganAt);
      ctx.attachment(name, { fallback: name.replace(/[^\x20-\x7e]/g, '_') });
      ctx.type = 'application/zip';
      ctx.respond = false;
      await sendZip(ctx.res, archive.signal, (writer) => write(writer, archive, contextOf(ctx)));
    } catch (error) {
      // The response has begun, so that all that is left to say is that it broke off; `sendZip` has destroyed it.
      logBreak(error, ctx, teamId);
    } finally {
      endWatch();
      archive.close();
    }
  };
  return { [OWN_PATHS.teamFiles]: [whileStoreAnswers, ...sessionSteps(), answer] };
}

function contextOf({ state: { principal, requestId, clientAddress } }: Koa.Context) {
  return { principal, requestId, clientAddress };
}

/** `my-team-2026-11-25.zip`. Of a name only letters and digits are left: systems disagree about everything else. */
function fileName(team: string, at: Date): string {
  const words = team.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? ['team'];
  const name = [...words.join('-')].slice(0, 60).join('');
  return `${name}-${at.toISOString().slice(0, 10)}.zip`;
}

function logBreak(error: unknown, ctx: Koa.Context, teamId: string): void {
  const about = { requestId: ctx.state.requestId, teamId };
  const { name, code } = error as { name?: string; code?: string };
  if (name === 'AbortError' || code === 'ERR_STREAM_PREMATURE_CLOSE') log.info(about, 'an archive was broken off');
  else if (error instanceof CodedError) log.info({ ...about, code }, 'an archive was broken off: access has ended');
  else log.error({ ...about, err: error }, 'an archive could not be written');
}
