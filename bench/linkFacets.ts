import 'reflect-metadata';
import type { SessionPrincipal } from '../src/access/principal.ts';
import { dialect } from '../src/db/connection/database.ts';
import { insertInto } from '../src/db/jsonRows.ts';
import { queryRaw } from '../src/db/query.ts';
import { inTransaction } from '../src/db/transactions.ts';
import { duplicatesOf } from '../src/links/draftService.ts';
import { countFacets, countLinks } from '../src/links/linkCountService.ts';
import { insertLinkRows, newLinkValues } from '../src/links/linkStore.ts';
import { Project } from '../src/models/Project.ts';
import { Tag } from '../src/models/Tag.ts';
import { Team } from '../src/models/Team.ts';
import { openStore } from '../test/support/store.ts';
import { option, print } from './support/product.ts';
import { best } from './support/timings.ts';

/**
 * The figures beside a list of links: `countFacets` beside the four counts that it replaces, and the look-up of links with
 * the same destination, each the best of five, in milliseconds. The store is that of STORE.
 *
 *   STORE=sqlite|postgres npm run bench -- linkFacets [links=100000]
 */
const links = Number(option('links', '100000'));
const TAGS = 12;
const PART = 2000;

const store = await openStore();
const principal: SessionPrincipal = {
  kind: 'session',
  userId: 'usr_bench',
  tokenHash: '',
  roles: new Map([['team_bench', 'owner']]),
  deletedRoles: new Map(),
  isPending: false,
  isDeleted: false,
};
const project = await makeProject();
for (let from = 0; from < links; from += PART) await insertPart(from);
// The product never analyzes on SQLite; PostgreSQL does so by itself.
if (dialect() === 'postgres') await queryRaw('ANALYZE', []);

const filters = [
  {},
  { status: 'active' },
  { tag: 'tag 1' },
  { isUntagged: true },
  { tag: 'tag 1', search: 'page-77' },
  { domain: 'd1.example.com' },
  { search: 'page-77' },
  { search: 'example' },
  { status: 'active', tag: 'tag 1', domain: 'd1.example.com' },
  { createdAfter: new Date(Date.now() - 86_400_000) },
];
for (const filter of filters) {
  const facets = await best(() => countFacets(principal, project.id, filter));
  const single = [
    await best(() => countLinks(principal, project.id, filter)),
    await best(() => countLinks(principal, project.id, { ...filter, status: null, groupBy: 'status' })),
    await best(() => countLinks(principal, project.id, { ...filter, tag: null, groupBy: 'tag' })),
    await best(() => countLinks(principal, project.id, { ...filter, domain: null, groupBy: 'domain' })),
  ];
  const four = single.reduce((all, ms) => all + ms, 0);
  print(
    `${JSON.stringify(filter).padEnd(70)} facets ${facets.toFixed(0)} ms, four counts ${four.toFixed(0)} ms (${single.map((ms) => ms.toFixed(0)).join(' + ')})`,
  );
}
for (const destination of ['https://shop.example.com/page-777?utm=x', 'https://shop.example.com/page-none?utm=x']) {
  const draft = { project, destination, linkId: null, problems: [], slugTaken: false, shortUrl: null, trace: null };
  print(`duplicates of ${destination}: ${(await best(() => duplicatesOf(draft))).toFixed(1)} ms`);
}
await store.close();

async function makeProject(): Promise<Project> {
  return inTransaction(async (transaction) => {
    await Team.create({ id: 'team_bench', name: 'Bench' }, { transaction });
    const made = { id: 'prj_bench', teamId: 'team_bench', name: 'Bench', apps: [] };
    const tags = Array.from({ length: TAGS }, (_, at) => ({
      id: `tag_${at}`,
      name: `tag ${at}`,
      nameKey: `tag ${at}`,
    }));
    const project = await Project.create(made, { transaction });
    await Tag.bulkCreate(
      tags.map((tag) => ({ ...tag, projectId: made.id })),
      { transaction },
    );
    return project;
  });
}

async function insertPart(from: number): Promise<void> {
  const at = new Date(Date.now() - (links - from) * 1000 * 60);
  const values = Array.from({ length: Math.min(PART, links - from) }, (_, index) => {
    const number = from + index;
    const input = {
      destination: `https://shop.example.com/page-${number % Math.ceil(links / 2)}?utm=x`,
      title: `Page ${number}`,
      startsAt: number % 50 === 0 ? new Date('2090-01-01') : null,
      expiresAt: number % 10 === 0 ? new Date('2020-01-01') : null,
    };
    const prepared = { input, domain: `d${number % 3}.example.com`, isScanned: true };
    const archivedAt = number % 20 === 0 ? at : null;
    return { ...newLinkValues(project, prepared, null, at), slug: `slug-${number}`, archivedAt };
  });
  const tagged = values.flatMap(({ id }, index) =>
    index % 3 === 0
      ? []
      : [[id, `tag_${index % TAGS}`], ...(index % 2 === 0 ? [[id, `tag_${(index + 5) % TAGS}`]] : [])],
  );
  await inTransaction(async (transaction) => {
    await insertLinkRows(values, transaction);
    await insertInto('link_tags', { link_id: 'text', tag_id: 'text' }, tagged, { transaction });
  });
}
