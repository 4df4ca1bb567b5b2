import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { buildSchema, Kind, parse } from 'graphql';
import { ROUTES } from '../../facade/routes/index.ts';
import { CONTROLS } from '../controls.ts';
import { pages, texts } from '../src/texts/en/index.ts';

/**
 * Everything that GraphQL can change and that REST can do, with the page and the control of the dashboard that does it:
 * `node scripts/bundleAndRun.mjs dashboard/build/controls.ts --print` prints it as Markdown. Ends with 1 where something has none, or where the table names a
 * page, a text or a field that is not there.
 */
const ROOT = path.resolve(import.meta.dirname, '../..');
const SOURCES = globSync('dashboard/src/**/*.{ts,tsx}', { cwd: ROOT })
  .filter((file) => !/\/(texts|generated)\//.test(file))
  .map((file) => readFileSync(path.join(ROOT, file), 'utf8'));

const problems: string[] = [];
const mutations = Object.keys(
  buildSchema(readFileSync(path.join(ROOT, 'schema.graphql'), 'utf8'))
    .getMutationType()
    ?.getFields() ?? {},
);
const operations = ROUTES.map(({ id, method, path: address, api, document }) => ({
  id,
  what: `${method} ${api === 'sdk' ? '/v1/sdk' : '/api/v1'}${address}`,
  field: rootField(document),
}));
const asked = new Set(SOURCES.flatMap(namesIn));
const routes = globSync('dashboard/src/routes/*', { cwd: ROOT }).map((file) =>
  readFileSync(path.join(ROOT, file), 'utf8'),
);
const addresses = new Set(
  routes.flatMap((source) => [...source.matchAll(/path: '([^']+)'/g)].map(([, address]) => address)),
);
const words: Record<string, unknown> = { ...texts };
for (const [name, load] of Object.entries(pages)) words[name] = (await load()).texts;

const fields = [...new Set([...mutations, ...operations.map(({ field }) => field)])];
const rows = fields.map((field) => ({ field, shown: describe(field) }));
for (const field of Object.keys(CONTROLS))
  if (!fields.includes(field)) problems.push(`${field}: there is no such field`);

if (process.argv.includes('--print')) {
  print(
    ['mutation', 'where and how'],
    rows.filter(({ field }) => mutations.includes(field)).map(({ field, shown }) => [`\`${field}\``, shown]),
  );
  print(
    ['operation', 'where and how'],
    operations.map(({ what, field }) => [`\`${what}\``, describe(field)]),
  );
}
process.stdout.write(problems.map((problem) => `✘ ${problem}\n`).join(''));
process.exit(problems.length === 0 ? 0 : 1);

/** The page and the words of the control, or why there is none. Notes what the table lacks. */
function describe(field: string): string {
  const control = CONTROLS[field];
  if (!control) {
    problems.push(`${field}: no page does it, and dashboard/controls.ts says no reason`);
    return '–';
  }
  if ('why' in control) return `none: ${control.why}`;
  const by = control.by ?? field;
  if (!asked.has(by) && !SOURCES.some((source) => source.includes(`'${by}`) || source.includes(`\`${by}`))) {
    problems.push(`${field}: no page asks for ${by}`);
  }
  if (!addresses.has(control.page)) problems.push(`${field}: there is no page ${control.page}`);
  const said = control.control.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown>)?.[name], words);
  if (said === undefined) problems.push(`${field}: there is no text ${control.control}`);
  const label = typeof said === 'function' ? String(said('…', 2)) : String(said);
  return `\`${control.page}\`: “${label}”`;
}

/** The names that stand in the documents of a source. Some are put together of parts, and cannot be parsed here. */
function namesIn(source: string): string[] {
  const documents = [...source.matchAll(/graphql\(\s*`([^`]+)`/g)].map(([, text]) => text as string);
  return documents.flatMap((text) => text.match(/\w+/g) ?? []);
}

function rootField(document: string): string {
  const [definition] = parse(document).definitions;
  const [field] = definition?.kind === Kind.OPERATION_DEFINITION ? definition.selectionSet.selections : [];
  if (field?.kind !== Kind.FIELD) throw new Error(`No field in ${document}`);
  return field.name.value;
}

function print(head: string[], lines: string[][]): void {
  const all = [head, head.map(() => '---'), ...lines];
  process.stdout.write(`${all.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n\n`);
}
