import { readFile, writeFile } from 'node:fs/promises';

/** Writes a generated file; with `--check` it only compares, and a stale one fails the process. */
export async function generate(file: string, content: string): Promise<void> {
  if (!process.argv.includes('--check')) return writeFile(file, content);
  const present = await readFile(file, 'utf8').catch(() => '');
  if (present === content) return;
  process.stderr.write(`${file} is stale: run \`npm run generate\` and commit it.\n`);
  process.exitCode = 1;
}
