import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { clock } from '../../src/kernel/clock.ts';
import { createLink, type MadeLink } from './createLink.ts';
import { IPHONE, newAddress, type Phone, type Sdk, sdkOf, startSdkWorld, visit } from './sdk.ts';
import { firstTenant, makeTenant, type Tenant } from './tenants.ts';
import { joinWorld, type World } from './world.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into every field
type Shown = any;

/** For the tests of a describe: a world, of its own where it has settings, and for each test a project with an app of its own. */
export function useInstalls(settings?: Record<string, string>) {
  let world: World;
  let mine: Tenant;
  let sdk: Sdk;

  before(async () => {
    world = settings ? await startSdkWorld(settings) : await joinWorld();
  });
  after(() => world.stop());
  beforeEach(async () => {
    mine = await makeTenant(world, (await firstTenant(world)).teamId);
    sdk = await sdkOf(mine);
  });
  afterEach(() => clock.reset());

  const get = async (path: string): Promise<Shown> => {
    const { status, body } = await mine.api('GET', path);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  return {
    world: () => world,
    mine: () => mine,
    /** The app of `mine`. */
    sdk: () => sdk,
    makeLink: (body: object = {}): Promise<MadeLink> =>
      createLink(mine.api, { destination: 'https://www.example.com/', ...body }),
    /** Somebody follows the link and then opens the app for the first time; gives the UUID. */
    async installBy(link: { slug: string }, body: object = {}, phone: Phone = IPHONE): Promise<string> {
      const installId = randomUUID();
      const from = newAddress();
      await visit(world, link, { from, phone });
      const { body: answer } = await sdk.open({ install_id: installId, ...phone.device, ...body }, { from });
      expect(answer.match.method).to.equal('probabilistic');
      return installId;
    },
    /** Somebody who followed no link opens the app for the first time; gives the UUID. */
    async install(app = sdk): Promise<string> {
      const installId = randomUUID();
      expect((await app.open({ install_id: installId }, { from: newAddress() })).status).to.equal(200);
      return installId;
    },
    /** An install as REST shows it. */
    show: (id: string): Promise<Shown> => get(`/installs/${id}`),
    /** Why it matched, or did not. */
    explain: (id: string): Promise<Shown> => get(`/installs/${id}/match`),
    /** What would be found, as REST tells it. */
    async simulate(body: object): Promise<Shown> {
      const { status, body: report } = await mine.api('POST', '/installs/simulate', body);
      expect(status, JSON.stringify(report)).to.equal(200);
      return report;
    },
  };
}
