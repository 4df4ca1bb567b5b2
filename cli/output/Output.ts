import pico from 'picocolors';
import { CliError } from '../errors.ts';
import type { GlobalFlags } from '../globals.ts';
import { type Row, valueAt } from './cells.ts';
import { type Progress, startProgress } from './progress.ts';
import { fittedTable, recordLines, tabbedTable } from './table.ts';

type Env = Record<string, string | undefined>;

/** How wide a terminal is that does not say so. */
const USUAL_WIDTH = 80;

/** What the server answered. */
export interface Shown {
  /** The body, byte for byte. */
  text: string;
  /** The columns of a list, or the fields of a record. */
  columns?: string[];
  /** The rows of a list; unset: the answer is one record. */
  rows?: Row[];
}

/** Prints: data to stdout, everything else to stderr. Tables are for terminals; what is piped is separated by tabs and whole. */
export class Output {
  readonly isTty = process.stdout.isTTY === true;
  /** Colors of what goes to stdout. */
  readonly colors: ReturnType<typeof pico.createColors>;
  /** Colors of what goes to stderr. */
  readonly noteColors: ReturnType<typeof pico.createColors>;
  private readonly flags: GlobalFlags;
  private readonly env: Env;

  constructor(flags: GlobalFlags, env: Env) {
    this.flags = flags;
    this.env = env;
    this.colors = pico.createColors(isColored(flags, env, this.isTty));
    this.noteColors = pico.createColors(isColored(flags, env, process.stderr.isTTY === true));
  }

  get width(): number {
    return process.stdout.columns || Number(this.env.COLUMNS) || USUAL_WIDTH;
  }

  /** The answer as the flags say: its bytes, what jq makes of them, a table, or lines of names and values. */
  async answer(shown: Shown): Promise<void> {
    const { jq, json, fields } = this.flags;
    if (jq !== undefined) return this.filtered(jq, shown.text);
    if (json && fields) return this.json(picked(shown, fields));
    if (json) return this.raw(shown.text);
    if (shown.rows) return this.table(shown.rows, fields ?? shown.columns ?? []);
    this.record(parsed(shown.text), fields ?? shown.columns);
  }

  /** True if the flags ask for JSON: then nothing else may go to stdout. */
  get isJson(): boolean {
    return this.flags.json === true || this.flags.jq !== undefined;
  }

  /** A value of this command line's own, as JSON. */
  json(value: unknown): void {
    this.raw(JSON.stringify(value, null, this.isTty ? 2 : 0));
  }

  /** Rows as a table on a terminal, else separated by tabs. */
  table(rows: Row[], columns: string[]): void {
    if (!this.isTty) this.lines(tabbedTable(rows, columns, this.flags.header === true));
    else if (rows.length === 0) this.note('Nothing was found.');
    else this.lines(fittedTable(rows, columns, this.width, { head: this.colors.dim }));
  }

  /** A record as lines of name and value, on a pipe with a tab between them. */
  record(record: Row, fields = Object.keys(record)): void {
    const isAsked = this.flags.fields !== undefined;
    const set = isAsked ? fields : fields.filter((field) => !isUnset(valueAt(record, field)));
    if (this.isTty) this.lines(recordLines(record, set, this.width, { head: this.colors.dim }));
    else this.lines(fields.map((field) => `${field}\t${tabbedTable([record], [field], false)[0] ?? ''}`));
  }

  /** A line of data. */
  line(text: string): void {
    process.stdout.write(`${text}\n`);
  }

  /** What people are told; nothing with `--quiet`. */
  note(text: string): void {
    if (!this.flags.quiet) process.stderr.write(`${text}\n`);
  }

  /** What went wrong; also with `--quiet`. */
  problem(text: string): void {
    process.stderr.write(`${text}\n`);
  }

  /** How far something is: a bar on a terminal, a line each 10 s where `CI` is set, else nothing. */
  progress(label: string): Progress {
    return startProgress(label, { isQuiet: this.flags.quiet === true, isCi: Boolean(this.env.CI) });
  }

  /** Bytes as they are. A terminal gets a line end behind them. */
  raw(text: string): void {
    process.stdout.write(this.isTty && !text.endsWith('\n') ? `${text}\n` : text);
  }

  private lines(lines: string[]): void {
    if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
  }

  private async filtered(expression: string, text: string): Promise<void> {
    const { runJq } = await import('./jq.ts');
    const printed = await runJq(text, expression, this.isTty).catch((error: Error) => {
      throw new CliError('failed', 'jq_failed', error.message.replace(/^Failed to execute raw query: /, ''));
    });
    if (printed !== '') process.stdout.write(printed.endsWith('\n') ? printed : `${printed}\n`);
  }
}

/** `NO_COLOR` and `--no-color` win; `FORCE_COLOR` colors pipes too. */
export function isColored(flags: GlobalFlags, env: Env, isTty: boolean): boolean {
  if (flags.color === false || env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTty && env.TERM !== 'dumb';
}

function picked({ text, rows }: Shown, fields: string[]): unknown {
  const pick = (row: unknown) => Object.fromEntries(fields.map((field) => [field, valueAt(row, field) ?? null]));
  return rows ? rows.map(pick) : pick(parsed(text));
}

function isUnset(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function parsed(text: string): Row {
  return text === '' ? {} : JSON.parse(text);
}
