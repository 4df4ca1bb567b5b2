// plays, stores: any
import { expect } from 'chai';
import type { CDPSession, Page } from 'playwright-core';
import { database, dialect } from '../../src/db/connection/database.ts';
import { inTransaction } from '../../src/db/transactions.ts';
import { Link } from '../../src/models/Link.ts';
import { usePages } from '../support/browser.ts';
import { useOwnWorld } from '../support/world.ts';

const LINKS = 100_000;
/** Each fiftieth link has it in its title. */
const CHOSEN = 'chosen';
const ROWS = 4000;
const MEASURED_ROWS = 1000;
const ROW_PX = 56;
/** Five rows a frame are as fast as a strong flick of a finger. */
const STEP_PX = 5 * ROW_PX;
const MB = 2 ** 20;

/** Scrolls evenly to a place, and gives the number of frames that it took. */
const scrollTo = (px: number) => `(async () => {
  let frames = 0;
  while (scrollY < ${px}) {
    const before = scrollY;
    scrollBy(0, ${STEP_PX});
    await new Promise(requestAnimationFrame);
    // Not while the next page is awaited at the end of the list.
    if (scrollY > before) frames += 1;
  }
  return frames;
})()`;
/** Goes to the end of what is loaded again and again, until it is below a place. */
const jumpTo = (px: number) => `(async () => {
  while (scrollY < ${px}) {
    window.scrollTo(0, document.body.scrollHeight);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
})()`;

describe('a hundred thousand links at the dashboard', () => {
  const world = useOwnWorld();
  const pages = usePages(world);

  before(async function () {
    // Rows of a hundred thousand links take seconds where nothing else happens.
    this.timeout(300_000);
    const { body } = await world.api('POST', '/links', { destination: 'https://example.com/', title: 'Chosen 0' });
    const numbers =
      dialect() === 'postgres'
        ? `SELECT n FROM generate_series(1, ${LINKS - 1}) AS given(n)`
        : `WITH RECURSIVE given(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM given WHERE n < ${LINKS - 1}) SELECT n FROM given`;
    await inTransaction(async (transaction) => {
      await database().query(
        `INSERT INTO links (id, project_id, domain, slug, destination, title, data, clicks, last_clicked_at, created_at, updated_at)
         SELECT 'lnk_' || substr('${'0'.repeat(26)}' || n, 1 + length('' || n)), project_id, domain, 'many-' || n, destination || n,
           CASE WHEN n % 50 = 0 THEN 'Chosen ' ELSE 'Campaign ' END || n,
           data, n % 5000 + 1, created_at, created_at, updated_at
         FROM links JOIN (${numbers}) AS numbers ON links.id = '${body.id}'`,
        { transaction },
      );
      await database().query('ANALYZE links', { transaction });
    });
  });

  it('scrolls through thousands of rows with few on the page, little memory and little work', async () => {
    const page = await pages.open();
    await page.goto('/app/links');
    await page.getByText('100,000 links').waitFor();
    const metrics = await measure(page);
    const before = await metrics();
    const frames = (await page.evaluate(scrollTo(MEASURED_ROWS * ROW_PX))) as number;
    const { scriptSeconds } = await metrics();
    const scriptMs = (1000 * (scriptSeconds - before.scriptSeconds)) / frames;
    await page.evaluate(jumpTo(ROWS * ROW_PX));
    const heapMb = (await metrics()).heapBytes / MB;
    const rows = await page.getByRole('row').count();
    const figures = `${scriptMs.toFixed(1)} ms of script a frame, ${rows} rows, heap of ${heapMb.toFixed(1)} MB`;
    process.stdout.write(`      ${frames} frames: ${figures}\n`);
    expect(frames).to.be.at.least((MEASURED_ROWS * ROW_PX) / STEP_PX - 10);
    expect(Number(await page.getByRole('row').last().getAttribute('aria-rowindex'))).to.be.above(ROWS);
    expect(rows).to.be.at.most(60);
    expect(heapMb).to.be.at.most(60);
    expect(scriptMs).to.be.at.most(12);
  });

  it('finds, sorts, and changes all that a search finds, with the way back', async () => {
    const page = await pages.open();
    await page.goto('/app/links');
    const first = page.getByRole('row').nth(1);
    await page.getByRole('button', { name: 'Clicks', exact: true }).click();
    await first.getByTitle('5,000', { exact: true }).waitFor();
    await page.getByRole('searchbox').fill('many-73219');
    await page.getByText('1 link', { exact: true }).waitFor();
    await page.getByRole('link', { name: /many-73219$/ }).waitFor();
    await page.getByRole('searchbox').fill(CHOSEN);
    await page.getByText('2,000 links', { exact: true }).waitFor();
    await first.getByText(/^Chosen/).waitFor();
    await first.getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Select all 2,000 found' }).click();
    await page.getByText('2,000 links selected').waitFor();
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await page.getByText('2,000 links archived').waitFor({ timeout: 60_000 });
    expect(await archived()).to.equal(2000);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('2,000 links restored').waitFor({ timeout: 60_000 });
    expect(await archived()).to.equal(0);
  });
});

async function archived(): Promise<number> {
  const all = await Link.count();
  return all - (await Link.count({ where: { archivedAt: null } }));
}

interface Metrics {
  /** Time of the processor in scripts of the page, whatever else the machine does. */
  scriptSeconds: number;
  heapBytes: number;
}

async function measure(page: Page): Promise<() => Promise<Metrics>> {
  const session: CDPSession = await page.context().newCDPSession(page);
  // Without the domain here, times are those of the clock, also after `setTimeDomain`.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const metric = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
    return { scriptSeconds: metric('ScriptDuration'), heapBytes: metric('JSHeapUsedSize') };
  };
}
