// stores: any
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { confidenceOf } from '../../../src/attribution/decide/score.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { clicksOf } from '../../support/appLinks.ts';
import { createLink } from '../../support/createLink.ts';
import { expectError } from '../../support/expectError.ts';
import { graphql } from '../../support/graphql.ts';
import { useInstalls } from '../../support/installs.ts';
import { IPHONE, newAddress, sdkOf } from '../../support/sdk.ts';
import { stopClock } from '../../support/stopClock.ts';
import { makeKey, makeTenant, memberSession, ownerSession } from '../../support/tenants.ts';
import { walk } from '../../support/walk.ts';

const FIELDS = `id projectId installId platform appVersion osVersion firstOpenedAt clickId linkId createdAt updatedAt
  match { matched method confidence guaranteed clickedAt factors { name points } }`;
const INSTALLS = `query ($projectId: ID!, $linkId: ID, $limit: Int) {
  installs(projectId: $projectId, linkId: $linkId, limit: $limit) { data { ${FIELDS} } nextCursor } }`;
const INSTALL = `query ($projectId: ID!, $id: ID!) { install(projectId: $projectId, id: $id) { ${FIELDS} } }`;
const MATCH = `query ($projectId: ID!, $id: ID!) { installMatch(projectId: $projectId, id: $id) { installId why } }`;
const DELETE = 'mutation ($projectId: ID!, $id: ID!) { deleteInstall(projectId: $projectId, id: $id) }';
const SIMULATE = `mutation ($projectId: ID!, $input: SimulateMatchInput!) {
  simulateMatch(projectId: $projectId, input: $input) {
    installId why match { matched } candidates { linkId link { id shortUrl } } } }`;
const READ_SIMULATED = SIMULATE.replace('mutation', 'query');
const SIMULATED = {
  click: { userAgent: IPHONE.headers['User-Agent'] },
  open: { platform: 'ios', osVersion: '18.1', language: 'de' },
};

describe('installs', () => {
  const { world, mine, sdk, makeLink, installBy, install, show } = useInstalls();

  const list = async () => (await walk(mine().api, '/installs')).map(({ install_id }) => install_id);

  it('are shown with what they were traced back to, by either id', async () => {
    const { nowMs } = stopClock();
    const link = await makeLink();
    const installId = await installBy(link, { app_version: '2.1.0' });
    const shown = await show(installId);
    const time = new Date(nowMs).toISOString();
    expect(shown.id).to.match(/^ins_[0-9a-z]{26}$/);
    expect(shown.click_id).to.match(/^clk_[0-9a-z]{26}$/);
    const { factors } = shown.match;
    const score = factors.reduce((sum: number, { points }: { points: number }) => sum + points, 0);
    expect(shown).to.deep.equal({
      id: shown.id,
      project_id: mine().projectId,
      install_id: installId,
      platform: 'ios',
      app_version: '2.1.0',
      os_version: '18.1',
      first_opened_at: time,
      match: {
        matched: true,
        method: 'probabilistic',
        confidence: confidenceOf(score),
        score,
        guaranteed: false,
        factors,
        clicked_at: time,
      },
      match_revised_at: null,
      click_id: shown.click_id,
      link_id: link.id,
      created_at: time,
      updated_at: time,
    });
    for (const id of [shown.id, installId.toUpperCase()]) expect(await show(id)).to.deep.equal(shown);
    expect((await mine().api('GET', '/installs')).body).to.deep.equal({ data: [shown], next_cursor: null });
    expect(await clicksOf(link)).to.deep.equal([shown.click_id]);
  });

  it('have one UUID however the app writes it, and nothing where nothing was told', async () => {
    const installId = randomUUID();
    await sdk().open(
      { install_id: installId.toUpperCase(), platform: 'web', os_version: null },
      { from: newAddress() },
    );
    await sdk().open({ install_id: installId, platform: 'web', os_version: '', first_open: false });
    expect(await list()).to.deep.equal([installId]);
    const shown = await show(installId);
    expect(shown).to.include({ platform: 'web', app_version: null, os_version: null, click_id: null, link_id: null });
    expect(shown.match).to.deep.equal({
      matched: false,
      method: 'none',
      confidence: 0,
      score: null,
      guaranteed: false,
      factors: [{ name: 'platform_web', points: 0 }],
      clicked_at: null,
    });
  });

  it('404 for what is none, and for those of another project or team', async () => {
    const { teamId } = mine();
    const others = [await makeTenant(world(), teamId), await makeTenant(world())];
    const foreign = await Promise.all(
      others.map(async (tenant) => {
        const installId = await install(await sdkOf(tenant));
        const { body } = await tenant.api('GET', `/installs/${installId}`);
        expect(body.install_id).to.equal(installId);
        return [installId, body.id];
      }),
    );
    const link = await makeLink();
    const own = (await show(await install())).id;
    const strange = [
      newId('ins'),
      randomUUID(),
      'x',
      link.id,
      own.toUpperCase(),
      `${own}x`,
      '%00',
      '%F0%9F%98%80',
      "'",
    ];
    for (const id of [...foreign.flat(), ...strange]) {
      expectError(await mine().api('GET', `/installs/${id}`), 404, 'not_found');
      expectError(await mine().api('GET', `/installs/${id}/match`), 404, 'not_found');
      expectError(await mine().api('DELETE', `/installs/${id}`), 404, 'not_found');
    }
    expect(await list()).to.have.length(1);
    for (const [at, { api }] of others.entries())
      expect((await api('GET', `/installs/${foreign[at]?.[0]}`)).status).to.equal(200);
  });

  it('are each of its own project, also with one UUID', async () => {
    const other = await makeTenant(world(), mine().teamId);
    const installId = randomUUID();
    for (const tenant of [mine(), other]) await (await sdkOf(tenant)).open({ install_id: installId });
    const ids = [mine(), other].map(async ({ api }) => (await api('GET', `/installs/${installId}`)).body.id);
    const [one, two] = await Promise.all(ids);
    expect(one).not.to.equal(two);
    expect((await mine().api('DELETE', `/installs/${installId}`)).status).to.equal(204);
    expect((await other.api('GET', `/installs/${installId}`)).body.id).to.equal(two);
  });

  it('need the scope installs:read, and to change them installs:write', async () => {
    const installId = await install();
    const owner = await ownerSession(world());
    const keyWith = async (...scopes: string[]) =>
      mine().api.as((await makeKey(world(), owner, { projectId: mine().projectId, scopes })).key);
    const simulated = { click: { user_agent: 'x' }, open: { platform: 'ios' } };
    const [reader, writer] = [await keyWith('installs:read'), await keyWith('installs:write')];
    for (const path of ['/installs', `/installs/${installId}`, `/installs/${installId}/match`]) {
      expect((await reader('GET', path)).status).to.equal(200);
      const refused = await writer('GET', path);
      expectError(refused, 403, 'insufficient_scope');
      expect(refused.body.error.message).to.include('installs:read');
    }
    for (const refused of [
      await reader('POST', '/installs/simulate', simulated),
      await reader('DELETE', `/installs/${installId}`),
    ]) {
      expectError(refused, 403, 'insufficient_scope');
      expect(refused.body.error.message).to.include('installs:write');
    }
    expect((await writer('POST', '/installs/simulate', simulated)).status).to.equal(200);
    expect((await writer('DELETE', `/installs/${installId}`)).status).to.equal(204);
  });

  it('are the same to the dashboard, by role', async () => {
    const { projectId } = mine();
    const link = await makeLink();
    const [installId, bare] = [await installBy(link), await install()];
    const [owner, viewer, member, stranger] = await Promise.all([
      ownerSession(world()),
      memberSession(world(), mine().teamId, 'viewer'),
      memberSession(world(), mine().teamId, 'member'),
      memberSession(world(), (await makeTenant(world())).teamId, 'owner'),
    ]);
    // biome-ignore lint/suspicious/noExplicitAny: data of every shape, or a code
    const ask = async (cookie: string | undefined, query: string, variables: object): Promise<any> => {
      const { data, errors } = await graphql(world().origin, query, { projectId, ...variables }, cookie);
      return errors?.[0]?.extensions.code ?? Object.values(data)[0];
    };
    const rest = await show(installId);
    for (const cookie of [owner, viewer, member]) {
      const shown = await ask(cookie, INSTALL, { id: rest.id });
      expect(shown).to.include({ id: rest.id, installId, linkId: link.id, clickId: rest.click_id, osVersion: '18.1' });
      expect(shown.match).to.include({ matched: true, confidence: rest.match.confidence });
      expect(await ask(cookie, INSTALLS, { linkId: link.id })).to.deep.equal({ data: [shown], nextCursor: null });
      expect((await ask(cookie, INSTALLS, { limit: 1 })).nextCursor).to.be.a('string');
      expect(await ask(cookie, MATCH, { id: installId })).to.include({ installId });
      expect(await ask(cookie, READ_SIMULATED, { input: SIMULATED })).to.deep.include({ installId: null });
    }
    for (const [cookie, refusal] of [
      [viewer, 'insufficient_scope'],
      [stranger, 'not_found'],
      [undefined, 'not_signed_in'],
    ] as const) {
      expect(await ask(cookie, DELETE, { id: installId })).to.equal(refusal);
      expect(await ask(cookie, SIMULATE, { input: SIMULATED })).to.equal(refusal);
      if (cookie === viewer) continue;
      for (const query of [INSTALL, INSTALLS, MATCH])
        expect(await ask(cookie, query, { id: installId })).to.equal(refusal);
      expect(await ask(cookie, READ_SIMULATED, { input: SIMULATED })).to.equal(refusal);
    }
    expect(await ask(member, SIMULATE, { input: SIMULATED })).to.deep.include({ installId: null });
    const { short_url } = (await mine().api('GET', `/links/${link.id}`)).body;
    const foreign = await createLink((await makeTenant(world())).api, { destination: 'https://www.example.com/' });
    for (const [clicked, shown] of [
      [link, { id: link.id, shortUrl: short_url }],
      [foreign, null],
      [{ id: 'made up' }, null],
    ] as const) {
      const input = { ...SIMULATED, click: { ...SIMULATED.click, link: clicked.id } };
      const { candidates } = await ask(owner, SIMULATE, { input });
      expect(candidates).to.deep.equal([{ linkId: clicked.id, link: shown }]);
    }
    expect(await ask(member, DELETE, { id: installId })).to.equal(true);
    expect(await ask(owner, DELETE, { id: installId })).to.equal('not_found');
    expect(await list()).to.deep.equal([bare]);
  });
});
