import type { Domain } from '../../sdk/client/index.ts';
import { givenFlags } from '../addOperation.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import { CliError } from '../errors.ts';
import { EXIT } from '../exitCodes.ts';
import { valuesOf } from '../flagValues.ts';
import { operationOf } from '../operationOf.ts';
import { pagesOf } from '../output/pages.ts';
import { waitGrowing } from '../waitGrowing.ts';

export const add = defineCommand({
  args: [['<hostname>', 'such as go.example.com']],
  options: [['--wait', 'wait until the records are found']],
  takesFlagsOf: 'domains.create',
  without: ['hostname'],
  details: 'Prints the records to set, ready to paste.',
  examples: ['domains add go.example.com --wait'],
  async run(context, { args: [hostname = ''], flags }) {
    const operation = operationOf('domains.create');
    const { body } = await valuesOf(operation, givenFlags(operation, flags));
    const answer = await context.request(operation, { body: { hostname, ...body }, dryRun: flags.dryRun === true });
    const domain = answer.json<Domain>();
    if (!flags.wait || flags.dryRun) return printDomain(context, domain, answer.text);
    tellRecords(context, domain);
    return waitFor(context, domain);
  },
});

export const verify = defineCommand({
  args: [['<domain>', 'the id or the hostname of the domain']],
  options: [['--wait', 'look again, in growing gaps, until the records are found']],
  details: 'Looks the records up now. The exit code is 1 while they are not as they must be.',
  async run(context, { args: [named = ''], flags }) {
    const id = await domainId(context, named);
    const answer = await context.request('verifyDomain', { variables: { id } });
    const domain = answer.json<Domain>();
    if (!flags.wait || domain.status === 'verified') {
      await printDomain(context, domain, answer.text);
      return domain.status === 'verified' ? EXIT.done : EXIT.failed;
    }
    tellRecords(context, domain);
    return waitFor(context, domain);
  },
});

async function waitFor(context: Context, { id, hostname }: Domain): Promise<number> {
  let answer = await context.request('verifyDomain', { variables: { id } });
  for await (const _ of waitGrowing(context, () => answer.json<Domain>().status === 'verified')) {
    context.output.note(`${hostname}: ${answer.json<Domain>().problem ?? 'not verified yet'}`);
    answer = await context.request('verifyDomain', { variables: { id } });
  }
  await printDomain(context, answer.json<Domain>(), answer.text);
  return EXIT.done;
}

async function printDomain(context: Context, domain: Domain, text: string): Promise<void> {
  const { output, flags } = context;
  if (output.isJson || flags.fields) return output.answer({ text });
  const { id, hostname, kind, status, problem } = domain;
  output.record({ hostname, status, problem, kind, id });
  if (status !== 'verified') tellRecords(context, domain);
}

/** One line for each record that is not there yet, as zone files have them. */
function tellRecords(context: Context, { verification }: Domain): void {
  const missing = verification.filter(({ is_set }) => !is_set);
  if (missing.length > 0) context.output.note('Set these records; of those for ownership one is enough:');
  for (const { name, type, value, purpose } of missing) {
    context.output.note(
      type === 'FILE' ? `  ${name} must answer: ${value}  (${purpose})` : `  ${name}. ${type} ${value}  (${purpose})`,
    );
  }
}

async function domainId(context: Context, named: string): Promise<string> {
  if (named.startsWith('dom_')) return named;
  for await (const { data } of pagesOf(context, operationOf('domains.list'), {})) {
    const found = data.find(({ hostname }) => hostname === named.toLowerCase());
    if (found) return String(found.id);
  }
  throw new CliError(
    'notFound',
    'not_found',
    `The project has no domain ${named}.`,
    `To add it: svc domains add ${named}`,
  );
}
