import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import { clockTime, FOLLOW_OPTIONS, Following, LIST } from '../listen/follow.ts';
import { plainCell, valueAt } from '../output/cells.ts';

export const command = defineCommand({
  options: [['--types <types>', 'only events of these types, separated by commas', LIST], ...FOLLOW_OPTIONS],
  details:
    'Prints each event as it happens, a line for each; with --json its envelope, with --jq what that makes of it.',
  examples: [
    'events tail',
    'events tail --types link.created,link.deleted --since 1h',
    'events tail --json | jq .data.link.slug',
  ],
  async run(context, { flags }) {
    const { output, url } = context;
    const following = new Following(context, flags);
    for await (const event of following.events(() => output.note(`Events of ${url} as they happen. Ctrl-C ends it.`))) {
      await printEvent(context, event.data);
    }
    output.note(`${following.received} received, ${following.missed} missed.`);
  },
});

/** Where the name of the thing stands that an event is about. */
const SUBJECTS = ['data.link.short_url', 'data.domain.hostname', 'data.app.name', 'data.alert.title', 'data.import.id'];

async function printEvent({ output, flags }: Context, envelope: string): Promise<void> {
  if (flags.jq !== undefined) return output.answer({ text: envelope });
  if (flags.json) return output.line(envelope);
  const event = JSON.parse(envelope);
  const fields = flags.fields?.map((field) => plainCell(valueAt(event, field)));
  const subject = SUBJECTS.map((path) => plainCell(valueAt(event, path))).find((text) => text !== '');
  const time = output.isTty ? clockTime(new Date(event.created_at)) : event.created_at;
  const cells = fields ?? [time, event.type, event.id, subject ?? ''];
  output.line(cells.join(output.isTty ? '  ' : '\t').trimEnd());
}
