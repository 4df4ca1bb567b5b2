import { isPlain, isSame } from './compare.ts';
import type { Action, Change, Counts, Plan, Verb } from './types.ts';

/** How the parts of a line are colored. */
export type Paint = (verb: Verb, text: string) => string;

export interface RenderOptions {
  /** The host of the server, as people know it. */
  server: string;
  paint?: Paint;
  /** Says of changes when their targets were changed on the server. */
  withTimes?: boolean;
}

const SIGNS: Record<Verb, string> = {
  create: '+',
  change: '~',
  move: '>',
  adopt: '<',
  archive: '-',
  delete: '-',
  release: '-',
  conflict: '!',
};

/** In the order of the sentence that sums a plan up. */
const SUMMARY: [keyof Counts, (count: number) => string][] = [
  ['create', (count) => `${count} to create`],
  ['change', (count) => `${count} to change`],
  ['move', (count) => `${count} to move`],
  ['adopt', (count) => `${count} to adopt`],
  ['archive', (count) => `${count} to archive`],
  ['delete', (count) => `${count} to delete`],
  ['release', (count) => `${count} to release`],
  ['unchanged', (count) => `${count} unchanged`],
  ['conflict', (count) => `${count} conflict${count === 1 ? '' : 's'}`],
  ['kept', (count) => `${count} no longer in the file (--prune takes ${count === 1 ? 'it' : 'them'} out of service)`],
];

const NAME_WIDTH = 20;
const FIELD_WIDTH = 12;
/** Longer values are cut: a plan is for reading. */
const MAX_VALUE = 100;
/** Comments on GitHub have at most 65,536 characters. */
const MAX_MARKDOWN = 60_000;

/** A plan as people read it. */
export function renderText(plan: Plan, options: RenderOptions): string {
  const lines = [headline(plan, options.server), ...plan.actions.flatMap((action) => linesOf(action, options))];
  return [...lines, ...closing(plan)].join('\n');
}

/** A plan as a comment on a pull request. */
export function renderMarkdown(plan: Plan, options: RenderOptions): string {
  const all = plan.actions.map((action) =>
    linesOf(action, options)
      .map((line) => line.slice(2))
      .join('\n'),
  );
  const shown: string[] = [];
  let characters = 0;
  for (const text of all) {
    characters += text.length + 1;
    if (characters > MAX_MARKDOWN) break;
    shown.push(text);
  }
  const more = all.length > shown.length ? [`… and ${all.length - shown.length} more`] : [];
  const body = [...shown, ...more].join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(body) + 1));
  const block = body === '' ? [] : ['', `${fence}diff`, body, fence];
  const [summary = '', ...rest] = closing(plan);
  return [
    `### ${headline(plan, options.server)}`,
    ...block,
    '',
    `**${summary}**`,
    ...rest.map((line) => `\n${line}`),
  ].join('\n');
}

/** The one sentence that sums a plan up. */
export function summaryOf({ counts }: Plan): string {
  const told = SUMMARY.filter(([verb]) => counts[verb] > 0 || verb === 'unchanged').map(([verb, say]) =>
    say(counts[verb]),
  );
  return `Plan: ${told.join(', ')}.`;
}

function headline({ stack, project, files, links }: Plan, server: string): string {
  const read = `${count(files, 'file')}, ${count(links, 'link')}`;
  return clean(`Stack ${stack} on ${server}, project ${project.name} (${project.id})    ${read}`);
}

function closing(plan: Plan): string[] {
  const warnings = plan.warnings.map((warning) => clean(`Note: ${warning}.`));
  const guard = plan.guard === null ? [] : [`Held back: ${plan.guard}`];
  return [summaryOf(plan), ...warnings, ...guard];
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

function linesOf(action: Action, { paint = (_, text) => text, withTimes }: RenderOptions): string[] {
  const { verb, kind, name } = action;
  const label = `${SIGNS[verb]} ${kind} ${clean(action.verb === 'move' && action.note ? action.note : name)}`;
  const about = [...aboutOf(action), ...changeLines(action)];
  if (withTimes && action.updatedAt && ['change', 'move', 'adopt'].includes(verb))
    about.push(`last changed on the server: ${action.updatedAt}`);
  const [first = '', ...rest] = about;
  const indent = ' '.repeat(NAME_WIDTH + 4);
  return [
    `  ${paint(verb, `${label.padEnd(NAME_WIDTH + 1)} `)}${first}`.trimEnd(),
    ...rest.map((line) => `${indent}${line}`),
  ];
}

/** What an action is, in front of its changes. */
function aboutOf({ verb, kind, name, title, note }: Action): string[] {
  switch (verb) {
    case 'create':
      return [clean(title)];
    case 'move':
      return [note ? `becomes ${clean(name)} (moved)` : 'comes from another stack'];
    case 'adopt':
      return [clean(`${title ? `${title}, ` : ''}adopted${note ? ` ${note}` : ''}`)];
    case 'archive':
      return [`${kind === 'webhook' ? 'disabled' : 'archived'} (no longer in the file)`];
    case 'delete':
      return ['deleted (no longer in the file)'];
    case 'release':
      return ['kept, and belongs to no stack any more (no longer in the file)'];
    case 'conflict':
      return [clean(note ?? '')];
    default:
      return [];
  }
}

function changeLines({ changes, verb }: Action): string[] {
  if (verb === 'conflict') return [];
  return changes
    .flatMap(partsOf)
    .map(({ field, from, to }) => clean(`${field.padEnd(FIELD_WIDTH)} ${shown(from)} → ${shown(to)}`));
}

/** Of a group, the fields in it that differ. */
function partsOf(change: Change): Change[] {
  const { field, from, to } = change;
  const [before, after] = [from ?? {}, to ?? {}];
  const isGroup = isPlain(before) && isPlain(after) && (isPlain(from) || isPlain(to));
  if (!isGroup) return [change];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .filter((name) => !isSame(before[name] ?? null, after[name] ?? null))
    .flatMap((name) => partsOf({ field: `${field}.${name}`, from: before[name] ?? null, to: after[name] ?? null }));
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  const isShort = Array.isArray(value) && value.every((one) => typeof one === 'string');
  const text = typeof value === 'string' ? value : isShort ? `[${value.join(', ')}]` : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1)}…` : text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g;

/** Without what would move the cursor of a terminal, or turn the direction of the text. */
function clean(text: string): string {
  return text.replace(CONTROLS, ' ');
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}
