import type { Principal } from '../src/access/principal.ts';
import { checkEvents } from '../src/services/apps/recordEvents.ts';
import { checkHostname } from '../src/services/domains/createDomain.ts';
import { checkNewKey } from '../src/services/keys/createKey.ts';
import { checkNewLink } from '../src/services/links/createLink.ts';
import { checkLinkChange } from '../src/services/links/updateLink.ts';
import { checkProject } from '../src/services/projects/projects.ts';
import { checkWebhookChange } from '../src/services/webhooks/changeWebhook.ts';
import { checkNewWebhook } from '../src/services/webhooks/createWebhook.ts';

/** `bad`: fields on the wire that are not in the input, because they are ill-formed. */
// biome-ignore lint/suspicious/noExplicitAny: the arguments of the mutation of that name
type Check = (principal: Principal, args: any, bad: ReadonlySet<string>) => unknown;

/** By mutation: what its service refuses beyond the rules of its fields, found without acting. */
export const SERVICE_CHECKS: Record<string, Check> = {
  createKey: (_, { input }) => checkNewKey(input),
  createLink: (principal, { input }) => checkNewLink(principal, input),
  updateLink: (principal, { id, input }) => checkLinkChange(principal, id, input),
  updateProject: (_, { id, input }) => checkProject(id, input),
  createDomain: (_, { input }, bad) => bad.has('hostname') || checkHostname(input),
  createWebhook: (principal, { input }) => checkNewWebhook(principal, input),
  // Ill-formed events are events all the same.
  recordEvents: (_, { input }, bad) => bad.has('events') || bad.has('name') || checkEvents(input),
  updateWebhook: (principal, { id, input }) => checkWebhookChange(principal, id, input),
};
