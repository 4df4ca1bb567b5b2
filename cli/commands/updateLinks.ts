import type { BulkUpdate, Link } from '../../sdk/client/index.ts';
import { givenFlags } from '../addOperation.ts';
import { fieldOf } from '../apiFields.ts';
import type { Context } from '../context.ts';
import { defineCommand, type Input } from '../defineCommand.ts';
import { kebab } from '../describeOperations.ts';
import { usageError } from '../errors.ts';
import { jsonOf, listOf, timeOf, valuesOf } from '../flagValues.ts';
import { resolveLink } from '../links.ts';
import { operationOf } from '../operationOf.ts';
import { bulkExit } from '../output/bulk.ts';
import type { Row } from '../output/cells.ts';
import { pagesOf } from '../output/pages.ts';
import { perform } from '../runOperation.ts';

/** The most links of one call. */
const BATCH = 1000;
/** How many are shown before the question. */
const SHOWN = 5;

type Failure = Row & { id: string; code: string; message: string };

export const command = defineCommand({
  args: [['[link]', 'the id, ext_<your id>, short URL, domain/slug or slug of the link; none with --where']],
  options: [
    ['--where <filter=value>', 'change all links that match; repeat it for more filters', { parse: listed }],
    ['--add-tags <list>', 'tags that the links get in addition to their own', { parse: listOf }],
    ['--remove-tags <list>', 'tags that are taken from the links that have them', { parse: listOf }],
    ['--set <json>', 'the change as JSON, @file or name=value, beside the flags', { parse: listed }],
  ],
  takesFlagsOf: 'links.update',
  details:
    'With --where, the links are listed first; the count and the first five are shown, and you are asked. The filters are those of ' +
    'svc links list. Links that fail do not stop the others: the exit code is then 3.',
  examples: [
    'links update spring --destination https://example.com/new',
    'links update --where tag=q4 --expires-at 2027-01-01',
    'links update --where tag=q4 --add-tags done --remove-tags q4',
    `links update --where tag=q4 --set '{"archived": true}'`,
  ],
  async run(context, input) {
    const { args, flags } = input;
    const isMany = flags.where !== undefined;
    if (isMany === (args[0] !== undefined)) throw usageError('Name one link, or say --where which ones.');
    const set = await changeOf(input);
    const retagging = { add_tags: flags.addTags, remove_tags: flags.removeTags };
    const isRetagged = flags.addTags !== undefined || flags.removeTags !== undefined;
    const isSet = Object.keys(set).length > 0;
    if (!isSet && !isRetagged) throw usageError('There is nothing to change: say it with flags or --set.');
    const dryRun = flags.dryRun === true;
    const change = { ...(isSet ? { set } : {}), ...(isRetagged ? retagging : {}) };
    if (isMany) return updateMany(context, await filtersOf(flags.where), change, dryRun);
    const id = await resolveLink(context, args[0] ?? '');
    if (isRetagged) return changeAll(context, [id], change, dryRun);
    return perform(context, operationOf('links.update'), { variables: { id }, body: set, dryRun });
  },
});

async function changeOf({ flags }: Input): Promise<Record<string, unknown>> {
  const operation = operationOf('links.update');
  const { body } = await valuesOf(operation, givenFlags(operation, flags));
  for (const text of (flags.set ?? []) as string[]) {
    if (/^[{@]/.test(text)) Object.assign(body, await jsonOf(text, '--set'));
    else {
      const { name, value } = await fieldOf(text, true);
      body[name.replaceAll('-', '_')] = value;
    }
  }
  return body;
}

async function filtersOf(typed: string[]): Promise<Record<string, unknown>> {
  const known = operationOf('links.list').flags.filter(
    ({ name }) => !['limit', 'cursor', 'sort', 'order'].includes(name),
  );
  const filters: Record<string, unknown> = {};
  for (const text of typed) {
    const { name, value } = await fieldOf(text, false);
    const flag = known.find((each) => each.name === name || kebab(each.name) === name);
    if (!flag) throw usageError(`--where takes ${known.map((each) => each.name).join(', ')}, and not "${name}".`);
    filters[flag.name] = flag.kind === 'time' ? timeOf(String(value), { isPast: true }) : value;
  }
  return filters;
}

async function updateMany(
  context: Context,
  query: Record<string, unknown>,
  change: Record<string, unknown>,
  dryRun: boolean,
): Promise<number> {
  const { output } = context;
  const links: Link[] = [];
  for await (const { data } of pagesOf(context, operationOf('links.list'), { query }))
    links.push(...(data as unknown as Link[]));
  if (links.length === 0) {
    output.note('No link matches.');
    return bulkExit(0, 0);
  }
  for (const { short_url, destination } of links.slice(0, SHOWN)) output.note(`  ${short_url} → ${destination}`);
  if (links.length > SHOWN) output.note(`  … and ${links.length - SHOWN} more`);
  if (!dryRun) await context.confirm(`${links.length} links would be changed: ${JSON.stringify(change)}.`);
  return changeAll(
    context,
    links.map(({ id }) => id),
    change,
    dryRun,
  );
}

async function changeAll(
  context: Context,
  ids: string[],
  change: Record<string, unknown>,
  dryRun: boolean,
): Promise<number> {
  const { output } = context;
  const progress = output.progress('Changing links');
  const failures: Failure[] = [];
  let done = 0;
  try {
    for (let at = 0; at < ids.length; at += BATCH) {
      const batch = ids.slice(at, at + BATCH);
      const { results } = await context.json<BulkUpdate>('bulkUpdateLinks', {
        body: { ids: batch, ...change },
        dryRun,
      });
      for (const { index, error } of results) {
        if (error) failures.push({ id: batch[index] ?? '', code: error.code, message: error.message });
      }
      done += batch.length;
      progress.update(done / ids.length, `${done} of ${ids.length}`);
    }
  } finally {
    progress.stop();
    if (done < ids.length)
      output.note(`${done - failures.length} of ${ids.length} links were changed before it ended.`);
  }
  const outcome = { changed: ids.length - failures.length, failed: failures.length, failures };
  if (output.isJson) await output.answer({ text: JSON.stringify(outcome) });
  else if (failures.length > 0) output.table(failures, ['id', 'code', 'message']);
  output.note(`${dryRun ? 'Dry run: ' : ''}${outcome.changed} changed, ${outcome.failed} failed.`);
  return bulkExit(failures.length, ids.length);
}

function listed(text: string, earlier: string[] = []): string[] {
  return [...earlier, text];
}
