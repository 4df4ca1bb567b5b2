import type { Blocklist } from './Blocklist.ts';
import { blocklistProblem } from './blocklistProblem.ts';
import { formProblem } from './formProblem.ts';
import { lookAlikeProblem } from './lookAlike.ts';
import { mixedScriptsProblem } from './mixedScripts.ts';
import { ownHostProblem } from './ownHostProblem.ts';
import type { OwnHosts } from './ownHosts.ts';
import { privateHostProblem } from './privateHost.ts';
import type { Target } from './target.ts';

/** What checks go by beside the URL, gathered once for all URLs of a scan. */
export interface ScanContext {
  allowPrivate: boolean;
  own: OwnHosts;
  blocklists: Blocklist[];
}

/** What is told of a check, whoever runs it. */
export interface CheckFacts {
  name: string;
  /** As it ends "the check for …". */
  finds: string;
  /** What whoever is refused can do. */
  advice: string;
}

interface Check extends CheckFacts {
  /** Whether URLs of an app's own scheme are checked too. */
  forApps?: true;
  /** Why the URL is refused, as a sentence; null when it may pass. */
  problem(target: Target, context: ScanContext): string | null;
}

/** Every check that needs nobody else's word, in the order in which they run; the first problem decides. */
export const CHECKS: readonly Check[] = [
  {
    name: 'form',
    finds: 'malformed URLs',
    advice: 'Use an http or https URL without user name and password.',
    forApps: true,
    problem: formProblem,
  },
  {
    name: 'private_address',
    finds: 'addresses inside a network',
    advice: 'Use an address that every visitor can reach.',
    problem: privateHostProblem,
  },
  {
    name: 'own_host',
    finds: 'redirect loops',
    advice: 'Use the URL that the short link leads to.',
    problem: ownHostProblem,
  },
  {
    name: 'mixed_scripts',
    finds: 'host names of mixed scripts',
    advice: 'Use a host name whose parts are each written in one script.',
    problem: mixedScriptsProblem,
  },
  {
    name: 'look_alike',
    finds: 'look-alike host names',
    advice: 'Use the host name that is meant.',
    problem: lookAlikeProblem,
  },
  {
    name: 'blocklist',
    finds: 'harmful sites',
    advice: 'Use another site, or ask the operator of this service to look at the list.',
    problem: blocklistProblem,
  },
];
