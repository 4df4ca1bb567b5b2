import type { Analytics } from '../../sdk/client/index.ts';
import { defineCommand } from '../defineCommand.ts';
import { findLink } from '../links.ts';
import { operationOf } from '../operationOf.ts';
import { askStats, chartOf, printStats } from '../printStats.ts';

const INTERVALS = operationOf('analytics.get').flags.find(({ name }) => name === 'interval')?.choices ?? [];
/** What is shown below the line of days, and how much of it. */
const BELOW = ['country', 'referrer_host', 'platform'];
const ROWS = 5;

export const command = defineCommand({
  args: [['<link>', 'the id, ext_<your id>, short URL, domain/slug or slug of the link']],
  options: [['--interval <length>', 'back from now; 30d when nothing is said', { choices: INTERVALS }]],
  details:
    'On a terminal: clicks by day, countries, referrers and platforms. Piped or with --json: clicks by time. More: svc stats --link.',
  examples: ['links stats spring --interval 90d'],
  async run(context, { args: [named = ''], flags }) {
    const { output } = context;
    const { id, short_url, destination } = await findLink(context, named);
    const query = { link: id, interval: flags.interval ?? '30d' };
    const byTime = await askStats(context, { ...query, group_by: 'time' });
    if (output.isJson || !output.isTty) return printStats(context, byTime, false);
    output.line(`${short_url} → ${destination}`);
    await printStats(context, byTime, true);
    for (const group_by of BELOW) {
      const figures = (await askStats(context, { ...query, group_by, limit: ROWS })).json<Analytics>();
      const [, ...rows] = chartOf(figures, output.width);
      if (rows.length > 0) output.line(`\n${output.colors.dim(group_by.replace('_', ' ').toUpperCase())}`);
      for (const row of rows) output.line(row);
    }
  },
});
