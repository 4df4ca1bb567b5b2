// stores: any
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { ownerSession } from '../../support/tenants.ts';
import { startWorld, type World } from '../../support/world.ts';

/** As browsers ask for a page. */
const HTML = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };

describe('GraphiQL, where it was built and GRAPHIQL is on', () => {
  let world: World;
  let cookie: string;

  const get = async (path: string, headers: Record<string, string>) => {
    const response = await fetch(`${world.origin}${path}`, { headers });
    return { status: response.status, type: response.headers.get('content-type') ?? '', response };
  };
  const isPage = ({ status, type }: Awaited<ReturnType<typeof get>>) => status === 200 && type.startsWith('text/html');

  before(async () => {
    world = await startWorld({ GRAPHIQL: 'true' });
    cookie = await ownerSession(world);
  });
  after(() => world.stop());

  it('is a page of its own two files, with a policy that lets nothing else in', async () => {
    const page = await get('/graphql', { ...HTML, Cookie: cookie });
    expect(page).to.satisfy(isPage);
    const policy = page.response.headers.get('content-security-policy') ?? '';
    expect(policy).to.include("default-src 'none'").and.include("script-src 'self';");
    const html = await page.response.text();
    const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] as string);
    expect(loaded).to.deep.equal(['/graphql/graphiql.css', '/graphql/graphiql.js']);
    for (const file of loaded) {
      const { status, type, response } = await get(file, { Cookie: cookie });
      expect({ status, type }).to.deep.equal({
        status: 200,
        type: `text/${file.endsWith('.js') ? 'javascript' : 'css'}; charset=utf-8`,
      });
      expect((await response.text()).length).to.be.above(100_000);
    }
  });

  it('is for those who are signed in', async () => {
    for (const path of ['/graphql', '/graphql/graphiql.js', '/graphql/graphiql.css']) {
      expect((await get(path, HTML)).status, path).to.be.within(400, 499);
      expect((await get(path, { ...HTML, Cookie: 'session=made-up' })).status, path).to.be.within(400, 499);
    }
  });

  it('is a form to sign in for others, whose script alone may run', async () => {
    const { status, type, response } = await get('/graphql', HTML);
    expect([status, type]).to.deep.equal([401, 'text/html; charset=utf-8']);
    const html = await response.text();
    const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
    const hash = createHash('sha256').update(script).digest('base64');
    expect(response.headers.get('content-security-policy')).to.include(`script-src 'sha256-${hash}';`);
    expect(html).to.include('type="password"').and.not.include('graphiql.js');
  });

  it('leaves queries to GraphQL', async () => {
    const { response } = await get('/graphql?query={me{email}}', { 'Apollo-Require-Preflight': '1', Cookie: cookie });
    expect(await response.json()).to.deep.equal({ data: { me: { email: world.email } } });
  });
});
