import { setTeamReadOnly } from '../../../src/accounts/teamService.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { inSeconds } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { flagLink } from '../../../src/links/flagService.ts';
import { ApiKey } from '../../../src/models/ApiKey.ts';
import { Import } from '../../../src/models/Import.ts';
import { Membership } from '../../../src/models/Membership.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { graphql } from '../graphql.ts';
import { until } from '../until.ts';
import type { AuditedMutation, Prepared } from './AuditedMutation.ts';
import { ACCOUNT_MUTATIONS, NOT_OF_A_TEAM } from './accountMutations.ts';

const DESTINATION = 'https://www.example.com/audited';
const webhook = ({ things }: Prepared) => ({ id: things.webhooks });
const link = ({ things }: Prepared) => ({ id: things.links });

/** Every mutation that changes something of a team. */
export const AUDITED: Record<string, AuditedMutation> = {
  archiveLink: { action: 'link.archived', variables: link },
  unarchiveLink: {
    action: 'link.unarchived',
    async variables({ mine, things }) {
      await mine.api('POST', `/links/${things.links}/archive`);
      return { id: things.links };
    },
  },
  bulkCreateLinks: {
    action: 'links.created_in_bulk',
    variables: ({ mine }) => ({
      input: { projectId: mine.projectId, links: [{ destination: DESTINATION }, { destination: DESTINATION }] },
    }),
  },
  bulkUpsertLinks: {
    action: 'links.upserted_in_bulk',
    variables: ({ mine }) => ({
      input: { projectId: mine.projectId, links: [{ external_id: 'audited', destination: DESTINATION }] },
    }),
  },
  bulkUpdateLinks: {
    action: 'links.updated_in_bulk',
    variables: ({ mine, things }) => ({
      input: { projectId: mine.projectId, ids: [things.links], set: { title: 'Changed' } },
    }),
  },
  bulkDeleteLinks: {
    action: 'links.deleted_in_bulk',
    variables: ({ mine, things }) => ({ input: { projectId: mine.projectId, ids: [things.links] } }),
  },
  createLink: {
    action: 'link.created',
    variables: ({ mine }) => ({ input: { projectId: mine.projectId, destination: DESTINATION } }),
  },
  updateLink: {
    action: 'link.updated',
    variables: ({ things }) => ({ id: things.links, input: { title: 'Changed' } }),
  },
  upsertLink: {
    action: 'link.created',
    variables: ({ mine }) => ({
      projectId: mine.projectId,
      externalId: newId('lnk'),
      input: { destination: DESTINATION },
    }),
  },
  deleteLink: { action: 'link.deleted', variables: link },
  reviewLink: {
    action: 'link.review_requested',
    async variables({ things }) {
      await flagLink(things.links, 'A test.');
      return { id: things.links };
    },
  },
  startImport: {
    action: 'import.started',
    variables: ({ mine }) => ({ projectId: mine.projectId, csv: `destination\n${DESTINATION}\n` }),
  },
  cancelImport: {
    action: 'import.cancelled',
    variables: async ({ mine }) => ({ id: await importInHand(mine.projectId) }),
  },
  createTag: {
    action: 'tag.created',
    variables: ({ mine }) => ({ input: { projectId: mine.projectId, name: newId('tag') } }),
  },
  updateTag: { action: 'tag.updated', variables: ({ things }) => ({ id: things.tags, input: { name: 'Changed' } }) },
  deleteTag: { action: 'tag.deleted', variables: ({ things }) => ({ id: things.tags }) },
  createKey: {
    action: 'key.created',
    variables: ({ mine }) => ({ input: { projectId: mine.projectId, name: 'Made' } }),
  },
  rollKey: { action: 'key.rolled', variables: ({ things }) => ({ id: things.keys, input: {} }) },
  keepKey: {
    action: 'key.kept',
    async variables({ things }) {
      await inTransaction((transaction) =>
        ApiKey.update({ revokeAt: inSeconds(60) }, { where: { id: things.keys }, transaction }),
      );
      return { id: things.keys };
    },
  },
  revokeKey: { action: 'key.revoked', variables: ({ things }) => ({ id: things.keys }) },
  createWebhook: {
    action: 'webhook.created',
    variables: ({ mine }) => ({ input: { projectId: mine.projectId, url: 'http://127.0.0.1:9999/made' } }),
  },
  updateWebhook: {
    action: 'webhook.updated',
    variables: ({ things }) => ({ id: things.webhooks, input: { description: 'Changed' } }),
  },
  deleteWebhook: { action: 'webhook.deleted', variables: webhook },
  disableWebhook: { action: 'webhook.disabled', variables: webhook },
  disableWebhooksOfMember: {
    action: 'webhook.disabled',
    async variables({ mine, things }) {
      const { userId } = await Membership.findOne({
        where: { teamId: mine.teamId, role: 'owner' },
        rejectOnEmpty: true,
      });
      const where = { id: things.webhooks };
      await inTransaction((transaction) => Webhook.update({ createdBy: userId }, { where, transaction }));
      return { teamId: mine.teamId, userId };
    },
  },
  enableWebhook: {
    action: 'webhook.enabled',
    async variables({ mine, things }) {
      await mine.api('POST', `/webhooks/${things.webhooks}/disable`);
      return { id: things.webhooks };
    },
  },
  rotateWebhookSecret: {
    action: 'webhook.secret_rotated',
    variables: ({ things }) => ({ id: things.webhooks, input: {} }),
  },
  testWebhook: {
    action: 'webhook.tested',
    variables: ({ things }) => ({ id: things.webhooks, input: { type: 'link.created' } }),
  },
  replayWebhook: {
    action: 'webhook.replayed',
    async variables({ world, owner, things }) {
      const variables = { id: things.webhooks, input: { since: inSeconds(-3600).toISOString(), status: 'all' } };
      const preview = 'query ($id: ID!, $input: ReplayInput!) { replayPreview(id: $id, input: $input) { count } }';
      // The event of the link may still be in the outbox, and nothing is noted of a replay of nothing.
      await until(
        async () => (await graphql(world.origin, preview, variables, owner)).data.replayPreview.count > 0,
        'the event of the link',
      );
      return variables;
    },
  },
  resendDelivery: { action: 'delivery.resent', variables: ({ things }) => ({ id: things.deliveries }) },
  deleteInstall: {
    action: 'install.deleted',
    variables: ({ mine, things }) => ({ projectId: mine.projectId, id: things.installs }),
  },
  createProject: {
    action: 'project.created',
    variables: ({ mine }) => ({ input: { teamId: mine.teamId, name: 'Made' } }),
  },
  updateProject: {
    action: 'project.updated',
    variables: ({ mine }) => ({ id: mine.projectId, input: { name: newId('prj') } }),
  },
  enterSurvivalMode: {
    action: 'team.read_only',
    variables: ({ mine }) => ({ teamId: mine.teamId, reason: 'A test.' }),
  },
  leaveSurvivalMode: {
    action: 'team.active',
    async variables({ mine }) {
      await setTeamReadOnly('operator', mine.teamId, 'A test.');
      return { teamId: mine.teamId };
    },
  },
  ...ACCOUNT_MUTATIONS,
  createDomain: { action: 'domain.created', variables: newDomain },
  updateDomain: {
    action: 'domain.updated',
    variables: async (prepared) => ({ id: await domainIn(prepared), input: { rootDestination: DESTINATION } }),
  },
  deleteDomain: { action: 'domain.deleted', variables: async (prepared) => ({ id: await domainIn(prepared) }) },
  acknowledgeAlert: { action: 'alert.acknowledged', variables: ({ things }) => ({ id: things.alerts }) },
  resolveAlert: { action: 'alert.resolved', variables: ({ things }) => ({ id: things.alerts }) },
};

/** Mutations that change nothing of a team, and what they do instead. */
export const NOT_AUDITED: Record<string, string> = {
  ...NOT_OF_A_TEAM,
  verifyDomain: 'looks at the domain now; what the product finds is told by events and alerts',
  runHealthChecks: 'looks now; what the product finds is told by events and alerts',
  simulateMatch: 'writes nothing',
  recordOpen: 'told by apps, and kept as openings',
  recordEvents: 'told by apps, and kept as events',
};

function newDomain({ mine }: Prepared) {
  return { input: { projectId: mine.projectId, hostname: `${newId('dom').replace('_', '-')}.example.com` } };
}

async function domainIn(prepared: Prepared): Promise<string> {
  const create = 'mutation ($input: CreateDomainInput!) { createDomain(input: $input) { id } }';
  const { data, errors } = await graphql(prepared.world.origin, create, newDomain(prepared), prepared.owner);
  if (!data?.createDomain) throw new Error(errors?.[0]?.message);
  return data.createDomain.id;
}

/** An import that somebody else has in hand for an hour. */
async function importInHand(projectId: string): Promise<string> {
  const id = newId('imp');
  const columns = { sourceFormat: 'svc', status: 'running', onConflict: 'skip', delimiter: ',', header: [] };
  const claim = { unknownColumns: [], rows: 1, claim: 'somebody', claimedUntil: inSeconds(3600) };
  await inTransaction((transaction) =>
    Import.create({ id, projectId, batchId: newId('bat'), ...columns, ...claim }, { transaction }),
  );
  return id;
}
