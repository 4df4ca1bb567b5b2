import type { ScanContext } from './checks.ts';
import type { Target } from './target.ts';

export function blocklistProblem(target: Target, { blocklists }: Pick<ScanContext, 'blocklists'>): string | null {
  for (const blocklist of blocklists) {
    const entry = blocklist.find(target);
    if (entry) return `${entry} is on a list of harmful sites.`;
  }
  return null;
}
