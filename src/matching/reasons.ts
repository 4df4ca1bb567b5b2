import { MARGIN, type Verdict } from './choose.ts';
import { THRESHOLD } from './score.ts';

/** Why an opening was not traced back to a click, as `factors` name it, in a sentence that says what follows. */
export const REASONS: Record<string, string> = {
  not_first_open: 'Only a first opening is traced back to a click.',
  no_consent: 'The person did not agree that their device is compared with clicks.',
  probabilistic_off: 'The project has probabilistic matching switched off.',
  platform_web: 'Browsers are not compared with clicks.',
  no_click: 'No click from this address could have led here: in time, on this platform, and on a link that leads on.',
  click_used: 'The clicks from this address were used by other installs.',
  below_threshold: `No click had ${THRESHOLD} points.`,
  ambiguous: `Clicks on several links fit equally well: the best was not ${MARGIN} points ahead.`,
  shared_network:
    "The address belongs to a network that many people share, so it gives no points, and the rest isn't enough.",
  many_visitors: "Many people clicked from this address lately, so it gives no points, and the rest isn't enough.",
  guess_taken_back:
    'It was guessed to come from a click, until another install brought the token of that click. What was compared stands below.',
  token_malformed: 'The token is none of ours, or a part of it is missing.',
  token_forged: 'The token was not signed by this service, or somebody changed it.',
  token_expired: 'The token is older than 90 days.',
  token_foreign: "The token is of another project's link.",
  token_used: 'The token was used by another install before.',
  install_before_click: 'The app was being installed before the click: the click was slipped in.',
  link_gone: 'The link was deleted.',
  link_flagged: 'The link was flagged as harmful.',
};

/** What became of a click that was compared. */
export const VERDICTS: Record<Verdict, string> = {
  matched: 'It is the best one, and clearly so.',
  used: 'It was used by an install before, or a click of the same visitor was.',
  outside_window: 'It is older than the match window of its link, or later than the opening.',
  other_platform: 'It was made on another platform.',
  link_gone: 'Its link was deleted.',
  link_flagged: 'Its link was flagged as harmful.',
  other_address: 'It came from another address: it would not be looked at.',
  not_a_person: 'Its browser is one of a machine, or none: only clicks of people are looked at.',
  below_threshold: `It has less than ${THRESHOLD} points.`,
  not_the_last: 'The same visitor followed a link later: the last click counts.',
  ambiguous: `It is less than ${MARGIN} points apart from a click on another link.`,
  less_likely: 'Another click fits better.',
};
