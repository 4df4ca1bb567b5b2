import type { Principal } from '../../access/principal.ts';
import { recordOpening } from '../../apps/recordOpening.ts';
import { matchOf } from '../../events/presentMatch.ts';
import { type OpenInput, prepareOpening } from './prepareOpening.ts';
import { requireApp } from './requireApp.ts';
import { surroundings } from './surroundings.ts';
import type { OpenAnswer } from './unmatchedOpen.ts';

/** Writes down that an app was opened, and tells it of the link that led there, if one did. `address`: the client's. */
export async function recordOpen(principal: Principal, input: OpenInput, address: string): Promise<OpenAnswer> {
  const app = requireApp(principal);
  if (input.firstOpen) await surroundings().flushClicks();
  const { openId, match, link } = await recordOpening(await prepareOpening(app, input, address));
  return { openId, match: matchOf(match), link };
}
