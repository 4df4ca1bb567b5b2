// stores: any
import { request } from 'node:http';
import { expect } from 'chai';
import { query } from '../../../src/db/query.ts';
import { makeLarge } from '../../support/largeTeam.ts';
import { newMember, newPerson, type SignedIn, teamOf, theOwner } from '../../support/people.ts';
import { readZip } from '../../support/readZip.ts';
import { renameTable } from '../../support/storeFaults.ts';
import { until } from '../../support/until.ts';
import { useWorld } from '../../support/world.ts';

/** A response that is not read yet. */
interface Held {
  status: number;
  read(): Promise<Buffer>;
  leave(): void;
}

describe('who may have the archive of a team', () => {
  const world = useWorld();
  let owner: SignedIn & { teamId: string };

  before(async () => {
    owner = await theOwner(world);
  });

  const pathOf = (teamId: string) => `/graphql/teams/${teamId}/archive.zip`;

  function download(cookie = owner.cookie, teamId = owner.teamId, more: RequestInit = {}) {
    const headers = { ...(cookie ? { Cookie: cookie } : {}), ...more.headers };
    return fetch(`${world.origin}${pathOf(teamId)}`, { ...more, headers });
  }

  async function expectRefusal(response: Response, status: number, code: string): Promise<void> {
    expect(response.status).to.equal(status);
    expect(await response.json()).to.have.nested.property('errors[0].extensions.code', code);
  }

  const exports = (teamId: string) =>
    query("SELECT id FROM audit_entries WHERE action = 'team.exported' AND team_id = :teamId", { teamId });

  it('refuses everybody but owners, and records nothing of it', async () => {
    await expectRefusal(await download(''), 401, 'not_signed_in');
    for (const role of ['admin', 'member', 'viewer'] as const) {
      const { cookie } = await newMember(world, owner, owner.teamId, role);
      await expectRefusal(await download(cookie), 403, 'insufficient_scope');
    }
    const stranger = await newPerson(world);
    await expectRefusal(await download(stranger.cookie), 404, 'not_found');
    await expectRefusal(await download(owner.cookie, 'team_x'), 404, 'not_found');
    await expectRefusal(
      await download(owner.cookie, owner.teamId, { headers: { 'Sec-Fetch-Site': 'cross-site' } }),
      400,
      'invalid_request',
    );
    for (const method of ['POST', 'DELETE', 'PUT']) {
      const response = await download(owner.cookie, owner.teamId, { method });
      expect(response.headers.get('allow')).to.equal('GET');
      await expectRefusal(response, 405, 'method_not_allowed');
    }
    const elsewhere = await fetch(`${world.origin}/graphql/teams/${owner.teamId}/x`, {
      headers: { Cookie: owner.cookie },
    });
    await expectRefusal(elsewhere, 404, 'not_found');
    expect(await exports(owner.teamId)).to.be.empty;
  });

  it('serves an owner in survival mode, and records it', async () => {
    const mode = 'mutation ($teamId: ID!) { enterSurvivalMode(teamId: $teamId, reason: "x") { id } }';
    await owner.ask(mode, { teamId: owner.teamId });
    try {
      const response = await download();
      expect(response.status).to.equal(200);
      expect((await readZip(Buffer.from(await response.arrayBuffer()))).has('manifest.json')).to.equal(true);
      expect(await exports(owner.teamId)).to.have.length(1);
    } finally {
      await owner.ask('mutation ($teamId: ID!) { leaveSurvivalMode(teamId: $teamId) { id } }', {
        teamId: owner.teamId,
      });
    }
  });

  it('names the file after the team, whatever its name is', async () => {
    const rename = 'mutation ($id: ID!, $name: String!) { updateTeam(id: $id, name: $name) { id } }';
    const names = {
      '../../etc/"passwd"; x=\u202e': 'etc-passwd-x',
      'Grüße 東京': 'Gr%C3%BC%C3%9Fe-%E6%9D%B1%E4%BA%AC',
      '%%%': 'team',
    };
    for (const [name, expected] of Object.entries(names)) {
      expect((await owner.ask(rename, { id: owner.teamId, name })).errors).to.equal(undefined);
      const response = await download();
      expect(response.headers.get('content-disposition'), name).to.match(/^attachment; filename="[\x20-\x7e]+"/);
      expect(response.headers.get('content-disposition'), name).to.contain(`${expected}-20`);
      await response.arrayBuffer();
    }
  });

  /** A download whose client reads nothing until it is told to. */
  function held(cookie: string, teamId: string) {
    const asked = request(`${world.origin}${pathOf(teamId)}`, { headers: { Cookie: cookie } });
    return new Promise<Held>((resolve, reject) => {
      asked.on('error', reject);
      asked.on('response', (response) => {
        response.pause();
        const read = async () => {
          const chunks: Buffer[] = [];
          for await (const chunk of response) chunks.push(chunk as Buffer);
          return Buffer.concat(chunks);
        };
        resolve({ status: response.statusCode ?? 0, read, leave: () => asked.destroy() });
      });
      asked.end();
    });
  }

  it('writes one archive of a team at a time, and is free again once the client has left', async () => {
    await makeLarge(owner.teamId);
    const first = await held(owner.cookie, owner.teamId);
    expect(first.status).to.equal(200);
    const second = await download();
    expect(second.headers.get('retry-after')).to.match(/^\d+$/);
    await expectRefusal(second, 409, 'conflict');
    first.leave();
    const third = await until(async () => {
      const response = await download();
      if (response.status === 200) return response;
      await response.arrayBuffer();
      return null;
    }, 'the place of the first');
    expect((await readZip(Buffer.from(await third.arrayBuffer()))).has('manifest.json')).to.equal(true);
  });

  it('writes one archive for a person at a time, whichever team it is of', async () => {
    await makeLarge(owner.teamId);
    const { data } = await owner.ask('mutation { createTeam(name: "Second") { id } }');
    const first = await held(owner.cookie, owner.teamId);
    expect(first.status).to.equal(200);
    await expectRefusal(await download(owner.cookie, data.createTeam.id), 409, 'conflict');
    const { cookie } = await newMember(world, owner, data.createTeam.id, 'owner');
    const colleagues = await download(cookie, data.createTeam.id);
    expect(colleagues.status).to.equal(200);
    await colleagues.arrayBuffer();
    first.leave();
    await until(async () => {
      const response = await download(owner.cookie, data.createTeam.id);
      await response.arrayBuffer();
      return response.status === 200;
    }, 'the place of the first');
  });

  it('writes two archives at a time', async () => {
    const people = await Promise.all([newPerson(world), newPerson(world)]);
    const open = [];
    for (const person of people) {
      const teamId = await teamOf(person);
      await makeLarge(teamId);
      open.push(await held(person.cookie, teamId));
    }
    expect(open.map(({ status }) => status)).to.deep.equal([200, 200]);
    await expectRefusal(await download(), 429, 'rate_limited');
    const [first, second] = open;
    expect((await readZip(await (first as Held).read())).has('manifest.json')).to.equal(true);
    await (await download()).arrayBuffer();
    second?.leave();
  });

  it('destroys the connection when something goes wrong, so that the file is no ZIP', async () => {
    await renameTable('health_history', 'health_history_away');
    try {
      const response = await download();
      expect(response.status).to.equal(200);
      const failure = await response.arrayBuffer().catch((error: Error) => error);
      expect(failure).to.be.an('error');
    } finally {
      await renameTable('health_history_away', 'health_history');
    }
    expect((await download()).status).to.equal(200);
  });
});
