// stores: any
import { expect } from 'chai';
import { clock } from '../../../src/kernel/clock.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { Webhook } from '../../../src/models/Webhook.ts';
import { apiOf } from '../../support/api.ts';
import { type GraphqlReply, graphql } from '../../support/graphql.ts';
import { firstTenant, makeKey, makeTenant, memberSession, ownerSession, type Tenant } from '../../support/tenants.ts';
import { useWorld } from '../../support/world.ts';

const SIGN_IN = 'mutation ($input: SignInInput!) { signIn(input: $input) { id email } }';
const CREATE_LINK = 'mutation ($input: CreateLinkInput!) { createLink(input: $input) { id slug } }';
const CREATE_PROJECT =
  'mutation ($input: CreateProjectInput!) { createProject(input: $input) { id name apps: appsJson } }';
const CREATE_WEBHOOK =
  'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { id projectId secret } }';

const codeOf = ({ errors }: GraphqlReply) => errors?.[0]?.extensions.code;

describe('/graphql', () => {
  const world = useWorld();
  let mine: Tenant;
  let owner: string;

  before(async () => {
    mine = await firstTenant(world);
    owner = await ownerSession(world);
  });
  afterEach(() => clock.reset());

  const ask = (query: string, variables: Record<string, unknown> = {}, cookie: string | undefined = owner) =>
    graphql(world.origin, query, variables, cookie);
  const asNobody = (query: string, variables: Record<string, unknown> = {}) => graphql(world.origin, query, variables);

  describe('sessions', () => {
    it('begin with a cookie that scripts do not see, and end with it', async () => {
      const { email, password } = world;
      const reply = await asNobody(SIGN_IN, { input: { email: ` ${email.toUpperCase()} `, password } });
      expect(reply.data.signIn.email).to.equal(email);
      expect(reply.setCookie).to.match(/^session=[\w-]{40,};/);
      for (const part of [/; httponly/i, /; samesite=lax/i, /; path=\//i]) expect(reply.setCookie).to.match(part);
      expect(reply.setCookie).to.not.match(/; secure/i);
      const { me } = (await ask('{ me { email createdAt } }', {}, reply.cookie)).data;
      expect(me.email).to.equal(email);
      expect(Date.now() - Date.parse(me.createdAt)).to.be.within(0, 600_000);
      const out = await ask('mutation { signOut }', {}, reply.cookie);
      expect(out.data.signOut).to.equal(true);
      expect(out.setCookie)
        .to.match(/^session=;/)
        .and.match(/expires=Thu, 01 Jan 1970/i);
      expect((await ask('{ me { email } }', {}, reply.cookie)).data.me).to.equal(null);
      expect(codeOf(await ask('mutation { signOut }', {}, reply.cookie))).to.equal('not_signed_in');
    });

    it('are nobody for cookies that are none', async () => {
      for (const cookie of [
        'session=',
        'session=x',
        `session=${'x'.repeat(5000)}`,
        'session=%00',
        '__Host-session=x',
      ]) {
        expect((await ask('{ me { email } }', {}, cookie)).data.me, cookie).to.equal(null);
        expect(codeOf(await ask('{ teams { data { id } } }', {}, cookie))).to.equal('not_signed_in');
      }
    });

    it('end by themselves', async () => {
      const cookie = await ownerSession(world);
      const end = Date.now() + 14 * 86_400_000;
      clock.use({ now: () => end - 60_000 });
      expect((await ask('{ me { email } }', {}, cookie)).data.me).to.not.equal(null);
      clock.use({ now: () => end + 60_000 });
      expect((await ask('{ me { email } }', {}, cookie)).data.me).to.equal(null);
    });

    it('are refused in the same words for a wrong password and an unknown e-mail', async () => {
      const wrong = await asNobody(SIGN_IN, { input: { email: world.email, password: 'wrong' } });
      const unknown = await asNobody(SIGN_IN, { input: { email: 'nobody@example.com', password: 'wrong' } });
      expect(codeOf(wrong)).to.equal('invalid_credentials');
      expect(unknown.errors?.[0]?.message).to.equal(wrong.errors?.[0]?.message);
      expect(codeOf(unknown)).to.equal('invalid_credentials');
      expect([wrong.setCookie, unknown.setCookie]).to.deep.equal([null, null]);
    });
  });

  describe('what is refused before it is run', () => {
    const post = async (body: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${world.origin}/graphql`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Cookie: owner, ...headers },
        body,
      });
      return { status: response.status, text: await response.text(), headers: response.headers };
    };
    const mutation = JSON.stringify({ query: 'mutation { signOut }' });

    it('requests that another site can make a browser send', async () => {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', '']) {
        const { status, text } = await post(mutation, { 'Content-Type': type });
        expect([400, 415], type).to.include(status);
        expect(text).to.not.include('"signOut"');
      }
      const get = `${world.origin}/graphql?query=${encodeURIComponent('{me{email}}')}`;
      expect((await fetch(get, { headers: { Cookie: owner } })).status).to.equal(400);
      expect((await ask('{ me { email } }')).data.me.email).to.equal(world.email);
    });

    it('keys of every kind', async () => {
      for (const key of [world.secretKey, world.publishableKey]) {
        const { text } = await post(JSON.stringify({ query: '{ teams { data { id } } }' }), {
          Cookie: '',
          Authorization: `Bearer ${key}`,
        });
        expect(text).to.include('not_signed_in');
      }
    });

    it('what is no GraphQL, and nothing of ours is shown', async () => {
      const variables = `{"input":{"projectId":"x","destination":"https://x.com","data":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}`;
      const bodies = [
        '{',
        '[]',
        '5',
        '""',
        '{}',
        '{"query":5}',
        '{"query":"{"}',
        '{"query":"{ nothing }"}',
        '{"query":null}',
      ];
      const deep = [`{"query":"${CREATE_LINK}","variables":${variables}}`, `{"query":"${'{a'.repeat(50_000)}"}`];
      const literal = `{ link(id: ${'['.repeat(50_000)}1${']'.repeat(50_000)}) { id } }`;
      for (const body of [...bodies, ...deep, JSON.stringify({ query: literal })]) {
        const { status, text } = await post(body);
        expect(status, body.slice(0, 60)).to.equal(400);
        expect(text).to.not.match(/node_modules|\.ts:|stacktrace/);
      }
    });

    it('a body of more than 1 MiB', async () => {
      expect(
        (await post(JSON.stringify({ query: '{me{id}}', variables: { x: 'x'.repeat(2_000_000) } }))).status,
      ).to.equal(413);
    });

    it('questions that nest too deeply', async () => {
      const nested = (depth: number) =>
        `{ service { eventTypes { type } ${'... on Service { '.repeat(depth)} baseUrl ${'}'.repeat(depth)} } }`;
      expect((await ask(nested(1))).errors).to.equal(undefined);
      expect((await ask(nested(50))).status).to.equal(400);
    });

    it('questions that would cost too much', async () => {
      const page = (name: string, limit: number) =>
        `${name}: links(projectId: $projectId, limit: ${limit}) { data { id slug domain destination title tags shortUrl status } }`;
      const query = (times: number, limit: number) =>
        `query ($projectId: ID!) { ${Array.from({ length: times }, (_, index) => page(`a${index}`, limit)).join(' ')} }`;
      const variables = { projectId: mine.projectId };
      expect((await ask(query(1, 100), variables)).errors).to.equal(undefined);
      expect(codeOf(await ask(query(20, 100), variables))).to.equal('query_too_costly');
    });

    it('variables that are missing, by their names', async () => {
      const missing = await ask(CREATE_LINK);
      expect(codeOf(missing)).to.equal('BAD_USER_INPUT');
      expect(missing.errors?.[0]?.message).to.include('$input');
    });
  });

  it('lists every bad field of an input', async () => {
    const input = { projectId: mine.projectId, destination: 'javascript:x', slug: 'a//b', clickLimit: 0 };
    const { errors } = await ask(CREATE_LINK, { input });
    expect(errors?.[0]?.extensions.code).to.equal('validation_failed');
    const fields = errors?.[0]?.extensions.fields as { path: string }[] | undefined;
    const paths = fields?.map(({ path }) => path);
    expect(paths).to.have.members(['input.destination', 'input.slug', 'input.clickLimit']);
  });

  it('masks what is a fault of ours, and names the request', async () => {
    const { id } = (await ask(CREATE_WEBHOOK, { input: { projectId: mine.projectId, url: 'http://127.0.0.1:9999/' } }))
      .data.createWebhook;
    const find = Webhook.findOne;
    Webhook.findOne = () => Promise.reject(new Error('secret insides'));
    try {
      const reply = await ask('query ($id: ID!) { webhook(id: $id) { id } }', { id });
      expect(codeOf(reply)).to.equal('internal_error');
      expect(reply.errors?.[0]?.extensions).to.have.property('requestId');
      expect(JSON.stringify(reply.errors)).to.not.include('secret insides').and.not.include('stack');
      const rest = await mine.api('GET', `/webhooks/${id}`);
      expect(rest.status).to.equal(500);
      expect(rest.body.error.code).to.equal('internal_error');
      expect(JSON.stringify(rest.body)).to.not.include('secret insides');
    } finally {
      Webhook.findOne = find;
    }
  });

  describe('roles', () => {
    const WRITES: [name: string, query: string, input: () => object][] = [
      ['createLink', CREATE_LINK, () => ({ projectId: mine.projectId, destination: 'https://www.example.com/' })],
      ['createWebhook', CREATE_WEBHOOK, () => ({ projectId: mine.projectId, url: 'http://127.0.0.1:9999/' })],
      ['createProject', CREATE_PROJECT, () => ({ teamId: mine.teamId, name: 'New' })],
      [
        'createKey',
        'mutation ($input: CreateKeyInput!) { createKey(input: $input) { key } }',
        () => ({ projectId: mine.projectId, name: 'K' }),
      ],
    ];
    const MAY: Record<'owner' | 'admin' | 'member' | 'viewer', string[]> = {
      owner: ['createLink', 'createWebhook', 'createProject', 'createKey'],
      admin: ['createLink', 'createWebhook', 'createProject', 'createKey'],
      member: ['createLink', 'createWebhook'],
      viewer: [],
    };
    for (const [role, allowed] of Object.entries(MAY) as [keyof typeof MAY, string[]][]) {
      it(`${role}: ${allowed.join(', ') || 'reads alone'}`, async () => {
        const cookie = await memberSession(world, mine.teamId, role);
        const list = 'query ($projectId: ID!) { links(projectId: $projectId) { data { id } } }';
        expect((await ask(list, { projectId: mine.projectId }, cookie)).errors).to.equal(undefined);
        for (const [name, query, input] of WRITES) {
          const code = codeOf(await ask(query, { input: input() }, cookie));
          expect(code, name).to.equal(allowed.includes(name) ? undefined : 'insufficient_scope');
        }
      });
    }

    it('no one sees or changes what belongs to another team', async () => {
      const other = await makeTenant(world);
      const link = (await other.api('POST', '/links', { destination: 'https://www.example.com/' })).body.id;
      const foreign = [
        ask('query ($id: ID!) { link(id: $id) { id } }', { id: link }),
        ask('mutation ($id: ID!) { archiveLink(id: $id) { id } }', { id: link }),
        ask('query ($id: ID!) { project(id: $id) { id } }', { id: other.projectId }),
        ask('query ($id: ID!) { team(id: $id) { id } }', { id: other.teamId }),
        ask('query ($id: ID!) { members(teamId: $id) { data { email } } }', { id: other.teamId }),
        ask('query ($id: ID!) { keys(projectId: $id) { data { id } } }', { id: other.projectId }),
        ask(CREATE_PROJECT, { input: { teamId: other.teamId, name: 'X' } }),
        ask(CREATE_WEBHOOK, { input: { teamId: other.teamId, url: 'http://127.0.0.1:9999/' } }),
        ask('query ($id: ID!) { link(id: $id) { id } }', { id: newId('lnk') }),
      ];
      for (const reply of await Promise.all(foreign)) expect(codeOf(reply)).to.equal('not_found');
    });
  });

  it('makes projects, whose keys then work', async () => {
    const { data } = await ask(CREATE_PROJECT, { input: { teamId: mine.teamId, name: 'Second' } });
    expect(data.createProject).to.deep.include({ name: 'Second', apps: [] });
    const { key } = await makeKey(world, owner, { projectId: data.createProject.id, scopes: ['*:read'] });
    const api = apiOf(world.origin, key);
    expect((await api('GET', '/projects')).body.data.map(({ id }: { id: string }) => id)).to.deep.equal([
      data.createProject.id,
    ]);
    expect((await api('POST', '/links', { destination: 'https://www.example.com/' })).status).to.equal(403);
    const projects = await ask('query ($teamId: ID) { projects(teamId: $teamId) { data { id } } }', {
      teamId: mine.teamId,
    });
    const ids = projects.data.projects.data.map(({ id }: { id: string }) => id);
    expect(ids).to.include.members([data.createProject.id, mine.projectId]);
  });

  it('makes team-wide webhooks, which get the events of every project of the team', async () => {
    const { data } = await ask(CREATE_WEBHOOK, { input: { teamId: mine.teamId, url: 'http://127.0.0.1:9999/' } });
    expect(data.createWebhook).to.include({ projectId: null });
    expect(data.createWebhook.secret).to.match(/^whsec_/);
    const list =
      'query ($teamId: ID, $projectId: ID) { webhooks(teamId: $teamId, projectId: $projectId) { data { id } } }';
    const ofTeam = await ask(list, { teamId: mine.teamId });
    expect(ofTeam.data.webhooks.data).to.deep.include({ id: data.createWebhook.id });
    const ofProject = await ask(list, { projectId: mine.projectId });
    expect(ofProject.data.webhooks.data).to.not.deep.include({ id: data.createWebhook.id });
  });

  it('shows teams and their members', async () => {
    await memberSession(world, mine.teamId, 'viewer');
    const { data } = await ask('{ teams { data { id name status } } }');
    expect(data.teams.data).to.deep.equal([{ id: mine.teamId, name: 'My team', status: 'active' }]);
    const members = await ask('query ($id: ID!) { members(teamId: $id) { data { email role } } }', { id: mine.teamId });
    expect(members.data.members.data[0]).to.deep.equal({ email: world.email, role: 'owner' });
    expect(members.data.members.data.map(({ role }: { role: string }) => role)).to.include('viewer');
  });
});
