import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Problem, SourceFile, Stack } from '../../sdk/code/index.ts';
import type { Context } from '../context.ts';
import type { OptionRow } from '../defineCommand.ts';
import { usageError } from '../errors.ts';
import { readStdin } from '../prompts.ts';

/** What is read where nothing was said. */
const USUAL = ['links.yaml', 'links.yml', 'links.json', 'links'];
const KINDS = /\.(ya?ml|json)$/i;

/** The flag that every command with files has. */
export const FILE_OPTION: OptionRow = [
  '-f, --file <path>',
  'a file or a folder of files (YAML, JSON); repeat it for more, - is stdin [links.yaml, or links/]',
  { parse: (text: string, earlier: string[] = []) => [...earlier, text] },
];

/** The files of a stack, in the order of their names. */
export async function readFiles(given: string[] | undefined, folder = process.cwd()): Promise<SourceFile[]> {
  const paths = given ?? (await usualPaths(folder));
  const files: SourceFile[] = [];
  for (const one of paths) files.push(...(await readPath(one, folder)));
  if (files.length === 0) throw usageError(`There is no .yaml, .yml or .json file in ${paths.join(', ')}.`);
  return files;
}

async function usualPaths(folder: string): Promise<string[]> {
  for (const name of USUAL) {
    if (await stat(path.join(folder, name)).catch(() => null)) return [name];
  }
  throw usageError('There is no links.yaml here.', 'Say which files are meant: -f <file or folder>.');
}

async function readPath(given: string, folder: string): Promise<SourceFile[]> {
  if (given === '-') return [{ name: 'stdin', text: await readStdin() }];
  const full = path.resolve(folder, given);
  const found = await stat(full).catch((error: Error) => {
    throw usageError(`${given} cannot be read: ${error.message}`);
  });
  if (!found.isDirectory()) return [{ name: given, text: await readFile(full, 'utf8') }];
  const names = (await readdir(full, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && KINDS.test(entry.name) && !entry.name.startsWith('.'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
  return Promise.all(
    names.map(async (name) => ({ name: path.relative(folder, name), text: await readFile(name, 'utf8') })),
  );
}

/** The stack of these files; null when something is wrong with them, which is told then. */
export async function readStackOf(context: Context, given: string[] | undefined): Promise<Stack | null> {
  const [files, { CODE_SCHEMA, readStack }] = await Promise.all([readFiles(given), import('../../sdk/code/index.ts')]);
  const read = readStack(files, CODE_SCHEMA);
  if ('stack' in read) return read.stack;
  tellProblems(context, read.problems);
  return null;
}

/** More would hide the first ones. */
const MAX_TOLD = 50;

/** One line for each problem, as compilers write them. */
function tellProblems({ output }: Context, problems: Problem[]): void {
  const message = `${problems.length} problem${problems.length === 1 ? '' : 's'} in the files.`;
  if (output.isJson) {
    output.problem(JSON.stringify({ error: { code: 'invalid_file', message, fields: problems } }));
    return;
  }
  output.problem(`error: invalid_file: ${message}`);
  for (const { file, line, column, path: field, message: text } of problems.slice(0, MAX_TOLD))
    output.problem(`${file}:${line}:${column}: ${field ? `${field}: ` : ''}${text}`);
  if (problems.length > MAX_TOLD) output.problem(`… and ${problems.length - MAX_TOLD} more`);
}
