import { givenFlags } from '../addOperation.ts';
import { defineCommand } from '../defineCommand.ts';
import { valuesOf } from '../flagValues.ts';
import { resolveLink } from '../links.ts';
import { operationOf } from '../operationOf.ts';
import { askStats, printStats } from '../printStats.ts';

const USUAL_INTERVAL = '30d';
const GROUPS = operationOf('analytics.get').flags.find(({ name }) => name === 'group_by')?.choices ?? [];

export const command = defineCommand({
  options: [
    ['--by <dimension>', 'what the rows are; time when nothing is said', { choices: GROUPS }],
    ['--chart', 'bars and lines also where the output is piped'],
  ],
  takesFlagsOf: 'analytics.get',
  without: ['group_by'],
  details: 'The last 30 days, unless --interval or --start says otherwise.',
  examples: [
    'stats',
    'stats --by country --interval 7d',
    'stats --link spring --by referrer_host',
    'stats --event install --by link',
  ],
  async run(context, { flags }) {
    const operation = operationOf('analytics.get');
    const { query } = await valuesOf(operation, givenFlags(operation, flags));
    if (typeof query.link === 'string' && !query.link.startsWith('-')) {
      query.link = (await Promise.all(query.link.split(',').map((link) => resolveLink(context, link)))).join(',');
    }
    const isRange = query.start !== undefined || query.interval !== undefined;
    const answer = await askStats(context, {
      ...(!isRange && { interval: USUAL_INTERVAL }),
      ...query,
      group_by: flags.by ?? 'time',
    });
    await printStats(context, answer, flags.chart === true);
  },
});
