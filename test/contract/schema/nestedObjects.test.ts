// stores: any
import 'reflect-metadata';
import { expect } from 'chai';
import { graphql } from 'graphql';
import { buildGraphqlSchema } from '../../../schema/build.ts';
import { createContext } from '../../../schema/context.ts';
import type { Principal } from '../../../src/access/principal.ts';
import type { Model, ModelStatic } from '../../../src/db/sequelize.ts';
import { inTransaction } from '../../../src/db/transactions.ts';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { log } from '../../../src/kernel/log.ts';
import { Alert } from '../../../src/models/Alert.ts';
import { ApiKey } from '../../../src/models/ApiKey.ts';
import { Delivery } from '../../../src/models/Delivery.ts';
import { Domain } from '../../../src/models/Domain.ts';
import { Event } from '../../../src/models/Event.ts';
import { Install } from '../../../src/models/Install.ts';
import type { Link } from '../../../src/models/Link.ts';
import { LinkTag } from '../../../src/models/LinkTag.ts';
import type { Project } from '../../../src/models/Project.ts';
import { Tag } from '../../../src/models/Tag.ts';
import { User } from '../../../src/models/User.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { plainRow, storeRows } from '../../support/appRows.ts';
import { makeLink, makeProject } from '../../support/clicks.ts';
import { type OpenStore, openStore } from '../../support/store.ts';

function put<Row extends Model>(model: ModelStatic<Row>, values: object): Promise<Row> {
  return inTransaction((transaction) => model.create(values as never, { transaction }));
}

const QUERIES = {
  installs: 'query ($projectId: ID!) { installs(projectId: $projectId) { data { link { id slug tags } } } }',
  timelines: `query ($projectId: ID!) { installs(projectId: $projectId) { data {
    opens(limit: 2) { id kind link { id } } events { id name } few: events(limit: 1) { id } } } }`,
  events: 'query ($projectId: ID!) { events(projectId: $projectId) { data { link { id slug } } } }',
  webhooks: 'query ($projectId: ID!) { webhooks(projectId: $projectId) { data { link { id } tag { id name } } } }',
  alerts: 'query ($projectId: ID!) { alerts(projectId: $projectId) { data { link { id } webhook { id url } } } }',
  tags: 'query ($projectId: ID!) { tags(projectId: $projectId) { data { linkCount } } }',
  domains: 'query ($projectId: ID!) { domains(projectId: $projectId) { data { linkCount } } }',
  keys: 'query ($projectId: ID!) { keys(projectId: $projectId) { data { creator { kind id name } } } }',
};
const DELIVERIES =
  'query ($webhookId: ID!) { deliveries(webhookId: $webhookId) { data { webhook { id url } event { id test link { id } } } } }';

describe('objects within the rows of a list', () => {
  const schema = buildGraphqlSchema();
  let store: OpenStore;
  let owner: Principal;
  let project: Project;
  let foreign: Project;

  before(async () => {
    store = await openStore();
  });
  after(() => store.close());
  beforeEach(async () => {
    project = await makeProject();
    foreign = await makeProject();
    expect(foreign.teamId).not.to.equal(project.teamId);
    const roles = new Map([[project.teamId, 'viewer' as const]]);
    const limits = { deletedRoles: new Map(), isPending: false, isDeleted: false };
    owner = { kind: 'session', userId: newId('usr'), tokenHash: '', roles, ...limits };
  });

  /** Rows of the list that the query asks for, and how many statements went to the store. */
  const ask = async (source: string, variableValues: Record<string, string> = { projectId: project.id }) => {
    let statements = 0;
    const trace = log.trace;
    log.trace = (() => {
      statements += 1;
    }) as typeof log.trace;
    const contextValue = createContext({ principal: owner, requestId: 'req', clientAddress: '127.0.0.1' });
    const { data, errors } = await graphql({ schema, source, variableValues, contextValue }).finally(() => {
      log.trace = trace;
    });
    expect(errors, source).to.equal(undefined);
    const [list] = Object.values(data ?? {}) as { data: Record<string, Record<string, unknown> | null>[] }[];
    return { rows: list?.data ?? [], statements };
  };

  const made = { installId: 'x', platform: 'ios', factors: [], firstOpenedAt: new Date() };
  const addInstall = async (linkId: string | null) => {
    const id = newId('ins');
    await put(Install, { ...made, id, installId: id, projectId: project.id, linkId });
    const rows = [
      { kind: 'install', link: linkId },
      { kind: 'open', link: linkId },
      { kind: 'open' },
      { name: 'purchase' },
      { name: 'level' },
    ] as const;
    await storeRows(rows.map((row, at) => plainRow(project.id, clock.now() + at, { visitor: id, ...row })));
  };
  const addWebhook = ({ id: projectId, teamId }: Project, columns: object = {}) => {
    const values = { url: 'https://a.example/', eventTypes: ['*'], apiVersion: '1', secrets: '' };
    return put(Webhook, { ...values, id: newId('whk'), teamId, projectId, ...columns });
  };
  const addTag = ({ id: projectId }: Project) => {
    const id = newId('tag');
    return put(Tag, { id, projectId, name: id, nameKey: id });
  };
  const addEvent = ({ id: projectId, teamId }: Project, columns: object = {}) => {
    const values = { type: 'link.created', tagIds: [], data: {}, createdAt: new Date(clock.now()) };
    return put(Event, { ...values, id: newId('evt'), teamId, projectId, ...columns });
  };
  const addAlert = (linkId: string | null, webhookId: string | null) => {
    const values = { kind: 'health', severity: 'info', title: 'A', message: 'B', details: {}, incident: newId('alt') };
    const { id: projectId, teamId } = project;
    return put(Alert, { ...values, id: newId('alt'), teamId, projectId, linkId, webhookId });
  };
  const addKey = (createdBy: string | null) => {
    const values = { kind: 'secret', name: 'Shop', scopes: [], lastFour: 'abcd' };
    const id = newId('key');
    return put(ApiKey, { ...values, id, hash: id, projectId: project.id, createdBy });
  };
  const addDomain = ({ id: projectId }: Project, hostname = `${newId('dom')}.example`) =>
    put(Domain, { id: newId('dom'), projectId, hostname, kind: 'link' });
  const addDelivery = (webhookId: string, eventId: string) => {
    const values = { eventType: 'link.created', requestBody: '{}', status: 'succeeded' };
    return put(Delivery, { ...values, id: newId('dlv'), projectId: project.id, webhookId, eventId });
  };
  const newLink = (of: Project): Promise<Link> => makeLink(of.id, { slug: newId('lnk') });

  it('take as many statements for ten rows as for one', async () => {
    const hook = await addWebhook(project);
    const add = async () => {
      const [link, tag] = [await newLink(project), await addTag(project)];
      const user = await put(User, { id: newId('usr'), email: `${newId('usr')}@a.example`, passwordHash: 'x' });
      await addInstall(link.id);
      await addWebhook(project, { linkId: link.id });
      const ofTag = await addWebhook(project, { tagId: tag.id });
      await addAlert(link.id, ofTag.id);
      await addKey(user.id);
      await addDomain(project);
      await addDelivery(hook.id, (await addEvent(project, { linkId: link.id })).id);
    };
    // One after another, because statements are counted for the whole process.
    const askAll = async () => {
      const lists: Record<string, Awaited<ReturnType<typeof ask>>> = {};
      for (const [name, query] of Object.entries(QUERIES)) lists[name] = await ask(query);
      return { ...lists, deliveries: await ask(DELIVERIES, { webhookId: hook.id }) } as typeof lists;
    };
    const countsOf = (lists: Awaited<ReturnType<typeof askAll>>) =>
      Object.entries(lists).map(([name, { statements }]) => [name, statements]);
    await add();
    const one = countsOf(await askAll());
    for (let at = 0; at < 9; at += 1) await add();
    const lists = await askAll();
    expect(countsOf(lists)).to.deep.equal(one);
    for (const [name, { rows }] of Object.entries(lists)) {
      expect(rows.length, name).to.be.at.least(10);
      const filled = rows.filter((row) => Object.values(row).some((nested) => nested !== null));
      expect(filled.length, name).to.be.at.least(10);
    }
    for (const { opens, events, few } of lists.timelines?.rows ?? []) {
      expect(opens).to.have.length(2);
      expect(events).to.have.length(2);
      expect(few).to.have.length(1);
    }
  });

  it('are those that the ids of the row name', async () => {
    const link = await newLink(project);
    const hook = await addWebhook(project, { linkId: link.id });
    const event = await addEvent(project, { linkId: link.id });
    await addDelivery(hook.id, event.id);
    await addInstall(link.id);
    await addAlert(link.id, hook.id);
    const key = await addKey(null);
    await addKey(key.id);
    const { slug } = link;
    expect((await ask(QUERIES.installs)).rows).to.deep.equal([{ link: { id: link.id, slug, tags: [] } }]);
    expect((await ask(QUERIES.events)).rows).to.deep.equal([{ link: { id: link.id, slug } }]);
    expect((await ask(QUERIES.webhooks)).rows).to.deep.equal([{ link: { id: link.id }, tag: null }]);
    expect((await ask(QUERIES.alerts)).rows).to.deep.equal([
      { link: { id: link.id }, webhook: { id: hook.id, url: hook.url } },
    ]);
    expect((await ask(DELIVERIES, { webhookId: hook.id })).rows).to.deep.equal([
      { webhook: { id: hook.id, url: hook.url }, event: { id: event.id, test: false, link: { id: link.id } } },
    ]);
    const creators = (await ask(QUERIES.keys)).rows.map(({ creator }) => creator);
    expect(creators).to.have.deep.members([null, { kind: 'key', id: key.id, name: 'Shop' }]);
  });

  it('and counts of links are those of the project, archived links included', async () => {
    const [tag] = [await addTag(project), await addTag(project)];
    const domain = await addDomain(project);
    await addDomain(foreign, domain.hostname);
    const links = [
      await makeLink(project.id, { slug: newId('lnk'), domain: domain.hostname }),
      await makeLink(project.id, { slug: newId('lnk'), archivedAt: new Date(clock.now()) }),
    ];
    for (const { id: linkId } of links) await put(LinkTag, { linkId, tagId: tag.id });
    const of = async (source: string) => (await ask(source)).rows;
    expect(await of(QUERIES.tags)).to.have.deep.members([{ linkCount: 2 }, { linkCount: 0 }]);
    expect(await of(QUERIES.domains)).to.deep.equal([{ linkCount: 1 }]);
  });

  it('are null for what is deleted, expired or of another team', async () => {
    const [link, tag, hook] = [await newLink(foreign), await addTag(foreign), await addWebhook(foreign)];
    const mine = await addWebhook(project, { linkId: link.id, tagId: tag.id });
    const old = await addEvent(project, { createdAt: new Date(clock.now() - 400 * 86_400_000) });
    for (const eventId of [(await addEvent(foreign)).id, old.id, newId('evt')]) await addDelivery(mine.id, eventId);
    const deleted = await addWebhook(project, { deletedAt: new Date(clock.now()) });
    for (const linkId of [link.id, newId('lnk')]) await addInstall(linkId);
    await addAlert(link.id, hook.id);
    await addAlert(newId('lnk'), deleted.id);
    expect((await ask(QUERIES.installs)).rows).to.deep.equal([{ link: null }, { link: null }]);
    expect((await ask(QUERIES.webhooks)).rows).to.deep.equal([{ link: null, tag: null }]);
    const none = { link: null, webhook: null };
    expect((await ask(QUERIES.alerts)).rows).to.deep.equal([none, none]);
    const events = (await ask(DELIVERIES, { webhookId: mine.id })).rows.map(({ event }) => event);
    expect(events).to.deep.equal([null, null, null]);
  });
});
