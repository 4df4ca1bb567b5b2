import type { Principal } from '../../access/principal.ts';
import { readModels } from '../../db/readModels.ts';
import { clock } from '../../kernel/clock.ts';
import { readClickToken } from '../../matching/installationTokens.ts';
import { judgeToken, tokenIn } from '../../matching/tokenGuards.ts';
import { Link } from '../../models/Link.ts';
import { linkOfUrl } from './linkOfUrl.ts';
import { requireApp } from './requireApp.ts';

/** The link of a URL that an app was opened with; null: none that leads somewhere. Counts nothing. */
export async function resolveUrl(principal: Principal, url: string): Promise<{ link: Link | null }> {
  const { projectId } = requireApp(principal);
  return { link: (await linkOfToken(projectId, url)) ?? (await linkOfUrl(projectId, url)) };
}

/** Who brings a click's token has been where the link leads: a password was given, and the link lived. */
async function linkOfToken(projectId: string, url: string): Promise<Link | null> {
  const token = tokenIn(url);
  if (token === null) return null;
  const circumstances = { projectId, installBeginAt: null, referrerClickAt: null };
  const judged = judgeToken(readClickToken(token, clock.now()), circumstances);
  if (!judged.ok) return null;
  const [link] = await readModels(Link, 'id = $1 AND project_id = $2', [judged.linkId, projectId]);
  return link && link.flaggedAt === null ? link : null;
}
