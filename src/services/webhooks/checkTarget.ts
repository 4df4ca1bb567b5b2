import { config } from '../../kernel/config.ts';
import { validationFailed } from '../../kernel/errors.ts';
import { resolveTarget, targetProblem } from '../../webhooks/target.ts';

/** How long a save waits for the name of a target; a resolver that takes longer is at fault and not the URL. */
const RESOLVE_MS = 3000;

/** Refuses with `validation_failed` a URL that deliveries could never go to; undefined is no change. */
export async function checkTarget(url: string | undefined): Promise<void> {
  if (url === undefined) return;
  const allowPrivate = config.allowPrivateTargets;
  const ownHosts = [config.baseUrl, config.sdkUrl].flatMap((origin) => (origin ? [new URL(origin).host] : []));
  const problem =
    targetProblem(url, { allowPrivate, ownHosts: [...ownHosts, config.linkDomain] }) ??
    (await resolveTarget(new URL(url).hostname, { allowPrivate, timeoutMs: RESOLVE_MS }));
  if (problem) throw validationFailed([{ path: 'url', message: problem }]);
}
