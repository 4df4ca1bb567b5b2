import { FORMATS, type FormatRules, type ImportFormat, type Target } from './formats.ts';

/** Which cells of a row mean what. */
export interface ColumnPlan {
  rules: FormatRules;
  /** Cells of each target that the file has, in the order in which they are asked. */
  cells: Map<Target, number[]>;
  /** Names of the columns as the file spells them. */
  header: string[];
  /** Columns whose cells go into `data` under their own names. */
  data: number[];
  /** Columns that nothing is taken from, … */
  rest: number[];
  /** … and their names. */
  unknown: string[];
}

/** Reads the header of a file. Gives a sentence instead when it has no column for the destination. */
export function planColumns(header: string[], format: ImportFormat): ColumnPlan | string {
  const rules = FORMATS[format];
  const at = new Map<string, number>();
  header.forEach((name, index) => {
    if (!at.has(plain(name))) at.set(plain(name), index);
  });
  const cells = new Map<Target, number[]>();
  for (const [target, names] of Object.entries(rules.columns) as [Target, string[]][]) {
    const found = names.flatMap((name) => at.get(plain(name)) ?? []);
    if (found.length > 0) cells.set(target, found);
  }
  if (!cells.has('destination')) return withoutDestination(header, format);
  const known = new Set([...cells.values()].flat());
  const others = [...header.keys()].filter((index) => !known.has(index) && header[index]?.trim());
  const isData = (index: number) => rules.restIsData?.but.test(header[index]?.trim() ?? '') === false;
  const rest = others.filter((index) => !isData(index));
  const unknown = rest.map((index) => header[index] ?? '');
  return { rules, cells, header, data: others.filter(isData), rest, unknown };
}

function withoutDestination(header: string[], format: ImportFormat): string {
  const names = (FORMATS[format].columns.destination ?? []).map((name) => `"${name}"`).join(' or ');
  const found = header.map((name) => `"${name}"`).join(', ');
  return `The first line has no column for the destination: as ${format} it is called ${names}. Found: ${found.slice(0, 300)}.`;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}
