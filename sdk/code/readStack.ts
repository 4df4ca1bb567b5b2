import { checkSchema, type Schema } from './checkSchema.ts';
import { isPlain } from './compare.ts';
import { readText } from './readText.ts';
import { hostnameOf, KINDS_OF_SECTIONS, type Section, tagKey } from './sections.ts';
import type { Path, ReadFile } from './textSpots.ts';
import type { Fields, Moved, Problem, SecretReference, SourceFile, Stack, Wanted } from './types.ts';

/** All files of a stack together. */
const MAX_BYTES = 50 * 1024 * 1024;
const MAX_LINKS = 100_000;
/** More would hide the first ones. */
const MAX_PROBLEMS = 100;

/**
 * Reads the files of a stack, checks them by the schema of the server, merges their defaults, and compares them with each
 * other. Returns the stack, or every problem with its place.
 */
export function readStack(files: readonly SourceFile[], schema: Schema): { stack: Stack } | { problems: Problem[] } {
  if (files.length === 0) return { problems: [problemAt('', { line: 1, column: 1 }, [], 'There is no file to read.')] };
  const characters = files.reduce((sum, { text }) => sum + text.length, 0);
  if (characters > MAX_BYTES) {
    const message = `The files have more than ${MAX_BYTES / 1024 / 1024} MB together.`;
    return { problems: [problemAt(files[0]?.name ?? '', { line: 1, column: 1 }, [], message)] };
  }
  const reader = new StackReader(schema);
  for (const file of files) reader.add(file);
  return reader.finish();
}

function problemAt(file: string, spot: { line: number; column: number }, path: Path, message: string): Problem {
  return { file, ...spot, path: path.join('.'), message };
}

class StackReader {
  private readonly schema: Schema;
  private readonly problems: Problem[] = [];
  private readonly wanted = new Map<string, Wanted>();
  private readonly moved: Moved[] = [];
  private readonly addresses = new Map<string, Wanted>();
  private readonly externalIds = new Map<string, Wanted>();
  private stack: { name: string; file: string } | null = null;
  private files = 0;
  private links = 0;

  constructor(schema: Schema) {
    this.schema = schema;
  }

  add(source: SourceFile): void {
    this.files += 1;
    const read = readText(source);
    if ('problems' in read) {
      this.problems.push(...read.problems);
      return;
    }
    const { file } = read;
    const misfits = checkSchema(this.schema, file.value);
    for (const { path, message } of misfits.slice(0, MAX_PROBLEMS))
      this.refuse(file, path, plainWords(path, message, file));
    if (misfits.length > 0 || !isPlain(file.value)) return;
    this.addSections(file, file.value);
  }

  finish(): { stack: Stack } | { problems: Problem[] } {
    if (this.problems.length === 0) this.checkTogether();
    if (this.problems.length > 0) {
      const problems = this.problems.sort((a, b) =>
        a.file === b.file ? a.line - b.line || a.column - b.column : a.file < b.file ? -1 : 1,
      );
      return { problems };
    }
    const wanted = [...this.wanted.values()].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
    const moved = this.moved.sort((a, b) => (a.from < b.from ? -1 : 1));
    return { stack: { name: this.stack?.name ?? '', files: this.files, wanted, moved } };
  }

  private refuse(file: ReadFile, path: Path, message: string): void {
    this.problems.push(problemAt(file.name, file.locate(path), path, message));
  }

  private addSections(file: ReadFile, value: Fields): void {
    const name = String(value.stack);
    this.stack ??= { name, file: file.name };
    if (this.stack.name !== name) {
      const message = `Is another stack than "${this.stack.name}" of ${this.stack.file}: files that are read together are one stack.`;
      this.refuse(file, ['stack'], message);
      return;
    }
    const defaults = (value.defaults ?? {}) as Record<string, Fields | undefined>;
    for (const [section, kind] of Object.entries(KINDS_OF_SECTIONS)) {
      const entries = (value[section] ?? {}) as Record<string, unknown>;
      for (const [entry, given] of Object.entries(entries)) {
        const wanted = wantedOf({
          section: section as Section,
          kind,
          stack: name,
          entry,
          given,
          defaults: defaults[section] ?? {},
        });
        this.addWanted(file, [section, entry], wanted);
      }
    }
    for (const [at, { from, to }] of ((value.moved ?? []) as { from: string; to: string }[]).entries())
      this.moved.push({ from, to, file: file.name, ...onlyLine(file.locate(['moved', at])) });
  }

  private addWanted(file: ReadFile, path: [string, string], bare: Omit<Wanted, 'file' | 'line'>): void {
    const [section, entry] = path;
    const line = file.entryLines.get(`${section} ${entry}`) ?? file.locate(path).line;
    const wanted: Wanted = { ...bare, file: file.name, line };
    const key = `${wanted.kind} ${wanted.name}`;
    const earlier = this.wanted.get(key);
    if (earlier) {
      const message = `"${entry}" is there twice: it stands in ${earlier.file} on line ${earlier.line} already.`;
      this.refuse(file, path, message);
      return;
    }
    if (wanted.kind === 'link') this.addLink(file, path, wanted);
    this.wanted.set(key, wanted);
  }

  private addLink(file: ReadFile, path: Path, wanted: Wanted): void {
    this.links += 1;
    if (this.links === MAX_LINKS + 1) this.refuse(file, path, `A stack has at most ${MAX_LINKS} links.`);
    const { externalId, fields } = wanted;
    const twin = externalId === null ? undefined : this.externalIds.get(externalId);
    if (twin) this.refuse(file, [...path, 'external_id'], `Is the external id of "${twin.name}" too.`);
    if (externalId !== null) this.externalIds.set(externalId, wanted);
    if (typeof fields.slug !== 'string') return;
    const address = `${typeof fields.domain === 'string' ? hostnameOf(fields.domain) : ''}/${fields.slug}`;
    const rival = this.addresses.get(address);
    if (rival)
      this.refuse(
        file,
        [...path, 'slug'],
        `Has the address of "${rival.name}" (${rival.file}, line ${rival.line}): ${address}.`,
      );
    this.addresses.set(address, wanted);
  }

  /** What only all files together tell. */
  private checkTogether(): void {
    const isLink = (name: string) => this.wanted.has(`link ${name}`);
    const [from, to] = [new Set<string>(), new Set<string>()];
    for (const move of this.moved) {
      const refuse = (message: string) =>
        this.problems.push({ file: move.file, line: move.line, column: 1, path: 'moved', message });
      if (isLink(move.from))
        refuse(`"${move.from}" is still in the file: a link that became another one is there no longer.`);
      if (!isLink(move.to)) refuse(`There is no link "${move.to}" in the file.`);
      if (from.has(move.from) || to.has(move.to))
        refuse(`"${from.has(move.from) ? move.from : move.to}" is moved twice.`);
      from.add(move.from);
      to.add(move.to);
    }
    for (const { kind, fields, file, line, name } of this.wanted.values()) {
      const link = kind === 'webhook' && isPlain(fields.scope) ? fields.scope.link : undefined;
      if (typeof link === 'string' && !isLink(link))
        this.problems.push({
          file,
          line,
          column: 1,
          path: `webhooks.${name}.scope.link`,
          message: `There is no link "${link}" in the file.`,
        });
    }
  }
}

interface Entry {
  section: Section;
  kind: Wanted['kind'];
  stack: string;
  entry: string;
  given: unknown;
  defaults: Fields;
}

function wantedOf({ section, kind, stack, entry, given, defaults }: Entry): Omit<Wanted, 'file' | 'line'> {
  const own = typeof given === 'string' ? { slug: entry, destination: given } : ((given ?? {}) as Fields);
  const { external_id, password, ignore, ...fields } = merged(defaults, own);
  const isNamed = section === 'links' || section === 'webhooks';
  return {
    kind,
    name: section === 'domains' ? hostnameOf(entry) : section === 'tags' ? entry.trim() : entry,
    externalId: isNamed ? String(external_id ?? `${stack}/${entry}`) : null,
    fields,
    password: (password as SecretReference | null | undefined) ?? null,
    ignore: (ignore as string[] | undefined) ?? NOTHING,
  };
}

const NOTHING: string[] = [];

/** Fields whose parts have defaults of their own; of all others the value of the entry replaces the default. */
const GROUPS = new Set(['utm', 'preview']);

function merged(defaults: Fields, own: Fields): Fields {
  const all: Fields = { ...defaults, ...own };
  for (const field of GROUPS) {
    const [base, given] = [defaults[field], own[field]];
    if (isPlain(base) && isPlain(given)) all[field] = { ...base, ...given };
  }
  return all;
}

function onlyLine({ line }: { line: number }): { line: number } {
  return { line };
}

function sortKey({ kind, name }: Wanted): string {
  return `${kind} ${kind === 'tag' ? tagKey(name) : name}`;
}

/** What the schema cannot say in a person's words. */
function plainWords(path: Path, message: string, { value }: ReadFile): string {
  if (path[path.length - 1] === 'password' && typeof valueAt(value, path) === 'string')
    return 'A password must not stand in the file: write { env: NAME } or { file: path }.';
  const isName =
    path.length === 2 && ['links', 'webhooks'].includes(String(path[0])) && message.startsWith('Must match');
  return isName
    ? 'A name has at most 100 small letters, digits and . _ / - and begins with a letter or a digit.'
    : message;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, part) => (at as Fields | null | undefined)?.[part], value);
}
