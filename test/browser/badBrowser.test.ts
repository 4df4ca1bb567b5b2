// plays, stores: any
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { inTransaction } from '../../src/db/transactions.ts';
import { newId } from '../../src/kernel/ids.ts';
import { Project } from '../../src/models/Project.ts';
import { a11yProblems, collectRefusals, goWithin, screenshot, scrollsSideways, usePages } from '../support/browser.ts';
import { newMember, type SignedIn, theOwner } from '../support/people.ts';
import { until } from '../support/until.ts';
import { useWorld } from '../support/world.ts';

const HOSTILE = `<img src=x onerror=alert(1)> “名前” ${'long '.repeat(12)}`;
const JAPANESE = '春のキャンペーン、とても長い日本語のタイトルがここに入ります';

describe('the dashboard in browsers and teams that are unlike ours', () => {
  const world = useWorld();
  const pages = usePages(world);
  let owner: SignedIn & { teamId: string };

  before(async () => {
    owner = await theOwner(world);
    const link = { destination: 'https://example.com/', slug: `browser-${newId('lnk').slice(-6)}`, title: JAPANESE };
    await world.api('POST', '/links', link);
  });

  /** The first page by its address, the others as links lead to them. */
  async function visit(page: Page, path: string): Promise<void> {
    if (page.url() === 'about:blank') await page.goto(`/app/${path}`);
    else await goWithin(page, `/app/${path}`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
  }

  it('works where nothing can be stored', async () => {
    const page = await pages.open();
    await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(window, name, { get() { throw new DOMException('Not allowed', 'SecurityError'); } });`);
    await page.goto('/app/links');
    await page.getByText(JAPANESE).first().waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await dialog.getByLabel('Single-key shortcuts').uncheck();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    // For as long as the page at least.
    await page.keyboard.press('c');
    expect(new URL(page.url()).pathname).to.equal('/app/links');
  });

  it('leads on from addresses at which there is nothing', async () => {
    const page = await pages.open();
    for (const path of ['nothing', 'alerts/a/b', 'a/b/c']) {
      await page.goto(`/app/${path}`);
      await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
      expect(await a11yProblems(page), path).to.deep.equal([]);
    }
    await screenshot(page, 'not-found');
    await page
      .getByRole('main')
      .getByRole('link', { name: /^Links/ })
      .click();
    await page.getByRole('heading', { name: 'Links', level: 1 }).waitFor();
  });

  it('puts the focus on the heading after a navigation, and back to the opener after a dialog', async () => {
    const page = await pages.open();
    await page.goto('/app/analytics');
    await page.getByRole('heading', { name: 'Analytics', level: 1 }).waitFor();
    const focused = (tag: string, text: string) =>
      until(
        // By the debugger, which the policy of the page does not bind.
        () =>
          page.evaluate(
            `document.activeElement.tagName === '${tag}' && document.activeElement.textContent.includes('${text}')`,
          ),
        `the focus on ${text}`,
      );
    await page.getByRole('link', { name: 'Webhooks' }).press('Enter');
    await focused('H1', 'Webhooks');
    await page.keyboard.press('Control+k');
    await page.getByRole('textbox', { name: 'Search links, pages and actions' }).fill('Unknown links');
    await page.getByRole('button', { name: 'Unknown links' }).waitFor();
    await page.keyboard.press('Enter');
    await focused('H1', 'Unknown links');
    await page.keyboard.press('Tab');
    const opener = (await page.evaluate('document.activeElement.outerHTML')) as string;
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await until(
      async () => (await page.evaluate('document.activeElement.outerHTML')) === opener,
      'the focus to come back',
    );
  });

  it('finds one of hundreds of projects by name, whatever its name holds', async () => {
    const rows = [...Array(130).keys()].map((at) => ({
      id: newId('prj'),
      teamId: owner.teamId,
      name: at === 0 ? HOSTILE.slice(0, 100) : `Project ${at}`,
      apps: [],
    }));
    await inTransaction((transaction) => Project.bulkCreate(rows, { transaction }));
    const page = await pages.open({ viewport: { width: 390, height: 844 } });
    try {
      // The oldest one, which the first page of a hundred does not hold.
      await page.goto(`/app/webhooks?project=${rows[0]?.id}`);
      await page.getByRole('button', { name: /Project: <img src=x/ }).click();
      await page.getByLabel('Find a project').fill('project 77');
      await screenshot(page, 'projects-390');
      expect(await a11yProblems(page)).to.deep.equal([]);
      expect(await scrollsSideways(page)).to.equal(false);
      await page.getByRole('link', { name: 'Project 77' }).click();
      await page.getByRole('button', { name: 'Project: Project 77' }).waitFor();
      expect(new URL(page.url()).searchParams.get('project')).to.equal(rows[77]?.id);
    } finally {
      // The page watches the clicks of its project, which soon is unknown.
      await page.goto('about:blank');
      await inTransaction((transaction) => Project.destroy({ where: { id: rows.map(({ id }) => id) }, transaction }));
    }
  });

  const WINDOWS = {
    'at 320 px': { viewport: { width: 320, height: 640 } },
    'in forced colours': { forcedColors: 'active', viewport: { width: 390, height: 844 } },
    'with text of 200 %': { viewport: { width: 720, height: 900 } },
  } as const;
  for (const [name, window] of Object.entries(WINDOWS)) {
    it(`fits ${name}`, async () => {
      const page = await pages.open(window);
      for (const path of ['', 'links', 'links/new', 'analytics', 'webhooks', 'nowhere']) {
        await visit(page, path);
        if (name.includes('200')) await page.evaluate("document.documentElement.style.fontSize = '200%'");
        await screenshot(page, `${path || 'overview'} ${name}`.replace(/\W+/g, '-'));
        expect(await scrollsSideways(page), path).to.equal(false);
      }
    });
  }

  for (const role of ['member', 'admin'] as const) {
    it(`sends nothing that is refused for ${role === 'admin' ? 'an admin' : 'a member'}`, async () => {
      const person = await newMember(world, owner, owner.teamId, role);
      const page = await pages.open({ cookie: person.cookie });
      const refused = collectRefusals(page);
      for (const path of [
        '',
        'links',
        'links/new',
        'imports',
        'analytics',
        'webhooks',
        'webhooks/new',
        'webhooks/events',
      ]) {
        await visit(page, path);
      }
      expect(refused).to.deep.equal([]);
    });
  }
});
