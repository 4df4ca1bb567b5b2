import { type AppLinkFacts, presentAppLink } from './presentAppLink.ts';
import { type MatchFacts, presentMatch } from './presentMatch.ts';

/** Where the SDK runs. */
export type AppPlatform = 'ios' | 'android' | 'web';

/** An install, and what it was traced back to. */
export interface InstallFacts {
  install: {
    /** `ins_` id. */
    id: string;
    /** The UUID that the SDK made. */
    installId: string;
    platform: AppPlatform;
    appVersion: string | null;
    osVersion: string | null;
    firstOpenedAt: Date;
  };
  match: MatchFacts;
  /** Null without a match, and where a link opened the app without a click of ours. */
  clickId: string | null;
  link: AppLinkFacts | null;
}

/** The data of `app.installed`. */
export function presentInstall({ install, match, clickId, link }: InstallFacts) {
  return {
    install: {
      id: install.id,
      install_id: install.installId,
      platform: install.platform,
      app_version: install.appVersion,
      os_version: install.osVersion,
      first_opened_at: install.firstOpenedAt.toISOString(),
    },
    match: presentMatch(match),
    click_id: clickId,
    link: presentAppLink(link),
  };
}
