import { defineCommand } from '../defineCommand.ts';
import { clockTime, FOLLOW_OPTIONS, Following } from '../listen/follow.ts';
import { plainCell, valueAt } from '../output/cells.ts';

const FIELDS = ['data.click.country', 'data.click.platform', 'data.click.traffic_class', 'data.click.referrer_host'];

export const command = defineCommand({
  options: [...FOLLOW_OPTIONS],
  details:
    'Prints each click: when it was, the link, country, platform, kind of traffic and where it came from. Clicks come with the events ' +
    'link.clicked, which are collected about once a minute: TRAFFIC_COLLECT_SECONDS of the server shortens that.',
  examples: ['stats live', 'stats live --link spring --since 1h', 'stats live --json'],
  async run(context, { flags }) {
    const { output, url } = context;
    const following = new Following(context, { ...flags, types: ['link.clicked'] });
    const ready = () => output.note(`Clicks of ${url}, about once a minute. Ctrl-C ends it.`);
    for await (const { data } of following.events(ready)) {
      if (context.flags.jq !== undefined) await output.answer({ text: data });
      else if (context.flags.json) output.line(data);
      else output.line(lineOf(JSON.parse(data), context.flags.fields, output.isTty));
    }
    output.note(`${following.received} clicks, ${following.missed} missed.`);
  },
});

function lineOf(event: unknown, fields: string[] | undefined, isTty: boolean): string {
  const at = plainCell(valueAt(event, 'data.click.occurred_at')) || plainCell(valueAt(event, 'created_at'));
  const cells = fields
    ? fields.map((field) => plainCell(valueAt(event, field)))
    : [
        isTty ? clockTime(new Date(at)) : at,
        plainCell(valueAt(event, 'data.link.short_url')),
        ...FIELDS.map((field) => plainCell(valueAt(event, field)) || '-'),
      ];
  return cells.join(isTty ? '  ' : '\t');
}
