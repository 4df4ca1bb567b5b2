import { setTimeout as delay } from 'node:timers/promises';
import type { Delivery, DeliveryPage } from '../../sdk/client/index.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import { clockTime, LIST } from '../listen/follow.ts';

/** Deliveries have no stream: they are asked for. */
const EVERY_MS = 2000;
/** As many as a page holds; a busier webhook has more pages, which are read too. */
const LIMIT = 100;
/** How far back changes of older deliveries are looked for: retries. */
const WATCHED_MS = 15 * 60_000;

export const command = defineCommand({
  args: [['<webhook>', 'the id of the webhook']],
  options: [['--status <status>', 'only these: pending, succeeded, failed, cancelled; separated by commas', LIST]],
  details:
    'Prints each attempt of a delivery of the last 15 minutes as it is made, and each delivery whose status changes. The server is asked ' +
    'every 2 seconds.',
  examples: ['deliveries tail whk_…', 'deliveries tail whk_… --status failed --json'],
  async run(context, { args: [webhookId = ''], flags }) {
    const { output, signal } = context;
    let known: Map<string, string> | null = null;
    while (!signal.aborted) {
      const rows = await recentDeliveries(context, webhookId);
      if (known === null) output.note(`Deliveries of ${webhookId} as they are made. Ctrl-C ends it.`);
      for (const row of rows.reverse()) {
        const isNews: boolean = known !== null && known.get(row.id) !== stateOf(row);
        if (isNews && (!flags.status || flags.status.includes(row.status))) await print(context, row);
      }
      known = new Map(rows.map((row) => [row.id, stateOf(row)]));
      await delay(EVERY_MS, undefined, { signal }).catch(() => {});
    }
  },
});

/** Newest first. */
async function recentDeliveries(context: Context, webhookId: string): Promise<Delivery[]> {
  const rows: Delivery[] = [];
  const query = { created_after: new Date(Date.now() - WATCHED_MS).toISOString(), limit: LIMIT };
  let cursor: string | null = null;
  do {
    const variables = { webhook_id: webhookId };
    const page: DeliveryPage = await context.json<DeliveryPage>('listDeliveries', {
      variables,
      query: { ...query, ...(cursor ? { cursor } : {}) },
    });
    rows.push(...page.data);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return rows;
}

function stateOf({ status, attempt_count }: Delivery): string {
  return `${status} ${attempt_count}`;
}

async function print({ output, flags }: Context, delivery: Delivery): Promise<void> {
  if (flags.jq !== undefined) return output.answer({ text: JSON.stringify(delivery) });
  if (flags.json) return output.line(JSON.stringify(delivery));
  const { id, event_type, status, attempt_count, attempts } = delivery;
  const last = attempts.at(-1);
  const answer = last ? String(last.status_code ?? last.error) : '';
  const took = last ? `${last.duration_ms} ms` : '';
  const time = output.isTty ? clockTime() : (last?.at ?? delivery.updated_at);
  output.line(
    [time, event_type, id, status, `attempt ${attempt_count}`, answer, took].join(output.isTty ? '  ' : '\t').trimEnd(),
  );
}
