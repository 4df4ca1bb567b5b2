import { config } from '../kernel/config.ts';
import type { CheckFacts } from './checks.ts';
import { privateHostProblem } from './privateHost.ts';
import type { Finding, ScannedUrl } from './scanMany.ts';
import { parseTarget } from './target.ts';
import { webRiskProvider } from './webRiskProvider.ts';

const WEB_RISK: CheckFacts = {
  name: 'web_risk',
  finds: 'sites that Google Web Risk knows to be harmful',
  advice: 'Use another site; its owner can ask Google for a review.',
};

/** For each link's URLs, in order, what Web Risk says of them; null where nobody is asked. Never rejects. */
export async function askWebRisk(
  sets: ScannedUrl[][],
): Promise<{ finding: Finding | null; isComplete: boolean }[] | null> {
  const webRisk = webRiskProvider();
  if (!webRisk) return null;
  const asked = sets.map((set) => set.map(({ url }) => askable(url)));
  const answers = await webRisk.lookUp(
    asked.flat().filter((url) => url !== null),
    config.webRiskBudgetMilliseconds,
  );
  return sets.map((set, index) => {
    const urls = asked[index] ?? [];
    const threats = urls.map((url) => (url === null ? [] : answers.get(url)));
    const at = threats.findIndex((found) => found && found.length > 0);
    return { finding: findingAt(set[at], threats[at]), isComplete: threats.every((found) => found !== undefined) };
  });
}

function findingAt(scanned: ScannedUrl | undefined, threats: string[] | undefined): Finding | null {
  if (!scanned || !threats) return null;
  const host = new URL(scanned.url).hostname;
  return { path: scanned.path, check: WEB_RISK, problem: `${host} is known for ${threats.join(', ')}.` };
}

/** Without the fragment, which no server sees. Null for what is nobody's business outside: apps, hosts inside a network. */
function askable(text: string): string | null {
  const target = parseTarget(text);
  if (!target?.isWeb || privateHostProblem(target, { allowPrivate: false })) return null;
  target.url.hash = '';
  return target.url.href;
}
