import { Argument, type Command, Option } from 'commander';
import type { Input } from './defineCommand.ts';
import { type Flag, kebab, type Operation } from './describeOperations.ts';
import { usageError } from './errors.ts';
import { listOf } from './flagValues.ts';

const VALUE: Record<Flag['kind'], string> = {
  text: '<text>',
  number: '<number>',
  boolean: '',
  time: '<time>',
  list: '<list>',
  json: '<json>',
};
/** What arguments are, where their name does not say it. */
const ARGUMENTS: Record<string, string> = {
  'links id': 'the id, ext_<your id>, short URL, domain/slug or slug of the link',
  'links external_id': 'your own id of the link',
  'deliveries webhook_id': 'the id of the webhook',
};

/** Gives a command the arguments and flags of an operation. */
export function addOperation(command: Command, operation: Operation): void {
  const { words, args, answer, bodyType, description } = operation;
  if (description) command.description(`${operation.summary}\n\n${description}`);
  for (const name of args) {
    const summary =
      ARGUMENTS[`${words[0]} ${name}`] ?? `the ${kebab(name).replaceAll('-', ' ')} of the ${singular(words[0])}`;
    command.addArgument(new Argument(`<${words[0] === 'links' && name === 'id' ? 'link' : kebab(name)}>`, summary));
  }
  if (bodyType === 'text/csv') command.addArgument(new Argument('<file>', 'the file to send; - is stdin'));
  addFlags(command, operation);
  if (answer === 'file' || answer === 'csv') command.option('-o, --output <file>', 'write to this file');
}

/** Gives a command the flags of an operation. */
export function addFlags(command: Command, { flags, answer, rehearses }: Operation): void {
  const filters = filtersAmong(flags);
  for (const flag of flags)
    for (const option of optionsOf(filters.has(flag) ? { ...flag, description: '' } : flag))
      command.addOption(filters.has(flag) ? option.helpGroup(headingOf(flag)) : option);
  const nullable = flags.filter(({ isNullable }) => isNullable).map(({ name }) => kebab(name));
  if (nullable.length > 0) {
    const unset = new Option('--unset <names>', `set to nothing: ${nullable.join(', ')}`).argParser(listOf);
    command.addOption(unset);
  }
  if (rehearses) command.option('--dry-run', 'say what would happen, and keep nothing');
  if (answer === 'page') {
    command.option('--all', 'walk through all pages');
    command.option('--header', 'a line of names above what is piped');
  }
}

/** So many flags with the same description are filters: their names say what they are, and the grammar is said once. */
const MANY_ALIKE = 5;

function filtersAmong(flags: readonly Flag[]): Set<Flag> {
  const alike = [...Map.groupBy(flags, ({ description }) => description).values()];
  return new Set(alike.filter((some) => some.length >= MANY_ALIKE).flat());
}

function headingOf({ description }: Flag): string {
  return `Filters (${description.charAt(0).toLowerCase()}${description.slice(1).replace(/\.$/, '')}):`;
}

/** What was typed, by the names of the wire. */
export function givenFlags(operation: Operation, flags: Input['flags']): Record<string, unknown> {
  const given: Record<string, unknown> = { unset: flags.unset };
  for (const { name } of operation.flags) given[name] = flags[camel(name)];
  return given;
}

function optionsOf({ name, kind, choices, isRequired, description }: Flag): Option[] {
  const flag = `--${kebab(name)}`;
  if (kind === 'boolean') {
    const off = new Option(`--no-${kebab(name)}`, `the opposite of ${flag}`).hideHelp();
    return [new Option(flag, describe(description, `${flag.replace('--', '--no-')} for false`)), off];
  }
  const option = new Option(`${flag} ${VALUE[kind]}`, describe(description, HINTS[kind]));
  if (choices && kind !== 'list') option.choices(choices);
  if (kind === 'list') option.argParser(choices ? chosen(flag, choices) : listOf);
  if (isRequired) option.makeOptionMandatory();
  return [option];
}

const HINTS: Partial<Record<Flag['kind'], string>> = {
  time: 'ISO 8601, a date, or a duration such as 2h or 30d',
  list: 'separated by commas, or repeated',
  json: 'JSON or @file',
};

function describe(description: string, hint: string | undefined): string {
  const text = description.replace(/\.$/, '');
  return hint ? `${text} (${hint})`.trim() : text;
}

/** The choices of a list stand in its help, and unknown ones are refused before anything is sent. */
function chosen(flag: string, choices: string[]) {
  return (text: string, earlier: string[] | undefined) => {
    const list = listOf(text, earlier);
    const unknown = list.find((each) => !choices.includes(each));
    if (unknown === undefined) return list;
    throw usageError(`${flag} takes ${choices.join(', ')}, and not "${unknown}".`);
  };
}

function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function singular(resource: string): string {
  return resource === 'deliveries' ? 'delivery' : resource.replace(/s$/, '');
}
