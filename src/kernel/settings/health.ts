import * as s from './kinds.ts';

/** Health checks of projects. */
export const HEALTH_SETTINGS = {
  healthCheckSeconds: s.integer('How often the health of each project is checked.', 300, { min: 1 }),
  healthConcurrency: s.integer('Projects that one process checks at a time.', 4, { min: 1, max: 100 }),
  healthRunSeconds: s.integer(
    'Timeout of all checks of a project; a check that has not finished keeps its previous result.',
    30,
    { min: 1, max: 300 },
  ),
  healthRunPauseSeconds: s.integer(
    'Average delay between requested runs for one project; a few in quick succession are allowed.',
    5,
  ),
  healthHistoryDays: s.integer('Days for which the history of health checks is kept.', 30, { min: 1 }),
  probeTimeoutSeconds: s.integer('Timeout of one request to a checked host.', 10, { min: 1, max: 60 }),
  certificateWarningDays: s.integer('Warn of a certificate that expires within this many days.', 14, { min: 1 }),
  unusedKeyDays: s.integer('Warn of a publishable key that no app has used for this many days.', 7, { min: 1 }),
  appStoreUrl: s.originOrNone(
    'Origin at which App Store pages are checked; none: they are not checked.',
    'https://apps.apple.com',
  ),
  playStoreUrl: s.originOrNone(
    'Origin at which Google Play pages are checked; none: they are not checked.',
    'https://play.google.com',
  ),
};
