import { type AppLinkFacts, presentAppLink } from './presentAppLink.ts';
import type { AppPlatform } from './presentInstall.ts';
import { type MatchFacts, presentMatch } from './presentMatch.ts';

/** An opening of an app by a link, or a first one that was traced back to a link. */
export interface OpenFacts {
  openId: string;
  /** The UUID that the SDK made. */
  installId: string;
  platform: AppPlatform;
  /** The link opened the app itself, as a Universal or App Link; false: it was found again at the first opening. */
  direct: boolean;
  match: MatchFacts;
  /** Null when the link is gone by now. */
  link: AppLinkFacts | null;
}

/** The data of `app.opened`. */
export function presentOpen({ openId, installId, platform, direct, match, link }: OpenFacts) {
  return {
    open_id: openId,
    install_id: installId,
    platform,
    direct,
    match: presentMatch(match),
    link: presentAppLink(link),
  };
}
