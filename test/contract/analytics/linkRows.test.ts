// stores: each
import { expect } from 'chai';
import { storeClicks } from '../../../src/clicks/clickStore.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { makeClick } from '../../support/clicks.ts';
import { graphql } from '../../support/graphql.ts';
import { firstTenant, makeTenant, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const QUERY = `query ($projectId: ID!) {
  analyticsBreakdowns(projectId: $projectId, groupBys: [link, slug, tag, rule], start: "2026-11-01T00:00:00Z", end: "2026-11-02T00:00:00Z") {
    data { key label link { id slug } } } }`;

describe('Rows of analytics', () => {
  const world = useWorld();
  let mine: Tenant;
  let link: { id: string; slug: string; short_url: string };
  const deleted = newId('lnk');

  before(async () => {
    mine = await firstTenant(world);
    const made = await mine.api('POST', '/links', { destination: 'https://www.example.com/', tags: ['spring'] });
    link = made.body;
    const tags = await mine.api('GET', '/tags');
    const foreign = await (await makeTenant(world)).api('POST', '/links', { destination: 'https://www.example.com/' });
    const { projectId } = mine;
    const clicks = [
      ...Array.from({ length: 3 }, () => makeClick({ projectId, linkId: link.id, slug: link.id })),
      ...Array.from({ length: 2 }, () => makeClick({ projectId, linkId: deleted, rule: 'rule 1' })),
      // As of a link that was moved to another project.
      makeClick({ projectId, linkId: foreign.body.id, tagIds: [tags.body.data[0].id] }),
    ];
    await storeClicks(clicks, { listening: () => false });
  });

  it('grouped by link have the link and its short URL, unless it is gone or of others', async () => {
    const cookie = await ownerSession(world);
    const { data, errors } = await graphql(world.origin, QUERY, { projectId: mine.projectId }, cookie);
    expect(errors).to.equal(undefined);
    const [byLink, bySlug, byTag, byRule] = data.analyticsBreakdowns;
    expect(byLink.data[0]).to.deep.equal({
      key: link.id,
      label: link.short_url,
      link: { id: link.id, slug: link.slug },
    });
    expect(byLink.data[1]).to.deep.equal({ key: deleted, label: null, link: null });
    expect(byLink.data[2]).to.include({ label: null, link: null });
    // A slug that looks like the id of a link is none.
    expect(bySlug.data[0]).to.deep.equal({ key: link.id, label: null, link: null });
    expect(byTag.data.map(({ key, label }: Record<string, string>) => [key, label])).to.deep.include(['spring', null]);
    expect(byRule.data.map(({ key, label }: Record<string, string>) => [key, label])).to.deep.include(['rule 1', null]);
  });
});
