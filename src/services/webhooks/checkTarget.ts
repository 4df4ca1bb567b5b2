import { config } from '../../kernel/config.ts';
import { validationFailed } from '../../kernel/errors.ts';
import { portOf, resolveTarget, targetProblem } from '../../webhooks/target.ts';

/** How long a save waits for the name of a target; a resolver that takes longer is at fault and not the URL. */
const RESOLVE_MS = 3000;

/** Refuses with `validation_failed` a URL that deliveries could never go to; undefined is no change. */
export async function checkTarget(url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const allowPrivate = config.allowPrivateTargets;
  const problem = targetProblem(url, { allowPrivate, ownHosts: ownHosts() }) ?? (await lookUp(new URL(url)));
  if (problem) throw validationFailed([{ path: 'url', message: problem }]);
}

function lookUp(url: URL): Promise<string | null> {
  const { allowPrivateTargets: allowPrivate } = config;
  return resolveTarget(url.hostname, { allowPrivate, port: portOf(url), timeoutMs: RESOLVE_MS });
}

/** Where this installation is found from outside, and where it listens on this machine. */
function ownHosts(): string[] {
  const origins = [config.baseUrl, config.sdkUrl].filter((origin) => origin !== null);
  return [...origins.map((origin) => new URL(origin).host), config.linkDomain, `localhost:${config.port}`];
}
