import {
  type Document,
  isAlias,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseAllDocuments,
} from 'yaml';
import { isPlain } from './compare.ts';
import { entryKey, type Path, type ReadText, type Spot, setField, twiceMessage } from './textSpots.ts';
import type { Fields } from './types.ts';
import { type Block, blocksOf } from './yamlBlocks.ts';

/** As many as a person writes; more are made to fill memory. */
const MAX_ALIASES = 100;

/** The code of errors whose message is that of the JavaScript engine: its stack is exhausted, on one level or on several. */
const TOO_DEEP = 'RESOURCE_EXHAUSTION';

/**
 * Reads YAML 1.2 without tags and merge keys. Large files are read in blocks, because the tree of a whole file of 100,000
 * links takes 1.5 GB; what blocks cannot hold, such as an anchor that another block uses, is read as a whole.
 */
export function readYaml(text: string, maxBlock?: number): ReadText {
  const blocks = blocksOf(text, maxBlock);
  const read = blocks && readBlocks(blocks);
  return read && read.problems.length === 0 ? read : readBlocks([{ text, header: null, line: 0, isPart: false }]);
}

interface Run {
  entryLines: Map<string, number>;
  problems: ReadText['problems'];
  aliases: number;
}

function readBlocks(blocks: Block[]): ReadText {
  const run: Run = { entryLines: new Map(), problems: [], aliases: 0 };
  let value: unknown = {};
  for (const block of blocks) {
    const part = readBlock(run, block);
    if (blocks.length === 1) value = part;
    else addBlock(run, value as Fields, part, block);
  }
  return { value, entryLines: run.entryLines, problems: run.problems, locate: (path) => locate(blocks, run, path) };
}

/** Adds the fields of a block. An entry that another block has too is a problem, which the whole file says better. */
function addBlock(run: Run, value: Fields, part: unknown, block: Block): void {
  if (part === undefined) return;
  if (!isPlain(part)) {
    run.problems.push({ line: block.line + 1, column: 1, message: 'No fields.' });
    return;
  }
  for (const [section, entries] of Object.entries(part)) {
    const known = value[section];
    // A section that was cut in front of its first entry is null so far.
    const isEmpty = known === undefined || (known === null && block.header !== null);
    if (block.header === null || isEmpty) {
      if (!isEmpty) run.problems.push({ line: block.line + 1, column: 1, message: 'Twice.' });
      setField(value, section, entries);
      continue;
    }
    for (const [name, entry] of Object.entries((entries ?? {}) as Fields)) {
      if (Object.hasOwn(known as Fields, name))
        run.problems.push({ line: block.line + 1, column: 1, message: 'Twice.' });
      else setField(known as Fields, name, entry);
    }
  }
}

/** Whose fields a map has: the file's, which are sections; those of a section, which are entries; or deeper ones. */
type Place = typeof FILE | typeof DEEP | string;
const FILE = Symbol('file');
const DEEP = Symbol('deep');

interface Reading {
  run: Run;
  block: Block;
  lines: LineCounter;
  anchors: Map<string, unknown>;
  /** How many anchored values this one is part of. */
  anchored: number;
}

function readBlock(run: Run, block: Block): unknown {
  const lines = new LineCounter();
  const documents = parse(block, lines);
  const reading: Reading = { run, block, lines, anchors: new Map(), anchored: 0 };
  const [document] = documents;
  for (const { errors, directives } of documents) {
    const tooDeep = errors.find(({ code }) => code === TOO_DEEP);
    if (tooDeep) refuse(reading, tooDeep.pos[0], 'Nested too deeply.');
    else for (const { pos, message } of errors) refuse(reading, pos[0], message);
    if (directives.yaml.explicit || Object.keys(directives.tags).length > 1)
      refuse(reading, 0, 'Directives (%YAML, %TAG) are not supported: files are YAML 1.2.');
  }
  if (documents.length > 1)
    refuse(reading, documents[1]?.contents?.range?.[0] ?? 0, 'One file holds one document; remove the line "---".');
  if (run.problems.length > 0 || !document?.contents) return blankValue(block);
  return plainOf(reading, document.contents as Node, FILE);
}

/** Nothing but comments: as a file it is null, as a block of one it says nothing. */
function blankValue({ isPart }: Block): undefined | null {
  return isPart ? undefined : null;
}

function parse({ header, text }: Block, lines: LineCounter): Document.Parsed[] {
  const all = parseAllDocuments(header === null ? text : `${header}\n${text}`, {
    lineCounter: lines,
    schema: 'core',
    version: '1.2',
    merge: false,
    customTags: [],
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  });
  return Array.isArray(all) ? (all as Document.Parsed[]) : [];
}

function spotOf({ block, lines }: Pick<Reading, 'block' | 'lines'>, offset: number): Spot {
  const { line, col } = lines.linePos(offset);
  // The header of a block is not part of its lines.
  return { line: line + block.line - (block.header === null ? 0 : 1), column: col };
}

function refuse(reading: Reading, offset: number, message: string): void {
  const text = message.endsWith('.') ? message : `${message}.`;
  reading.run.problems.push({ ...spotOf(reading, offset), message: text });
}

function plainOf(reading: Reading, node: Node | null, place: Place): unknown {
  if (node === null) return null;
  const offset = node.range?.[0] ?? 0;
  if (isAlias(node)) return aliasOf(reading, node.source, offset);
  if ((isScalar(node) || isCollection(node)) && node.tag)
    refuse(reading, offset, `Tags such as ${node.tag} are not supported.`);
  const anchor = isScalar(node) || isCollection(node) ? node.anchor : undefined;
  if (anchor) reading.anchored += 1;
  const value = contentOf(reading, node, place);
  if (anchor) {
    reading.anchored -= 1;
    reading.anchors.set(anchor, value);
  }
  return value;
}

function contentOf(reading: Reading, node: Node, place: Place): unknown {
  if (isMap(node)) return mapOf(reading, node.items as Pair<Node, Node | null>[], place);
  if (isSeq(node)) return node.items.map((item) => plainOf(reading, item as Node, DEEP));
  const value = isScalar(node) ? node.value : null;
  if (typeof value === 'number' && !Number.isFinite(value))
    refuse(reading, node.range?.[0] ?? 0, 'Must be a finite number.');
  return value;
}

function mapOf(reading: Reading, pairs: Pair<Node, Node | null>[], place: Place): Fields {
  const value: Fields = {};
  const offsets = new Map<string, number>();
  for (const { key, value: item } of pairs) {
    const offset = key?.range?.[0] ?? 0;
    const name = nameOf(key);
    if (name === null) {
      refuse(reading, offset, 'The name of a field must be a text.');
      continue;
    }
    if (name === '<<')
      refuse(reading, offset, 'Merge keys (<<) are not supported: write the fields out, or use defaults.');
    const earlier = offsets.get(name);
    if (earlier !== undefined) refuse(reading, offset, twiceMessage(name, spotOf(reading, earlier).line));
    offsets.set(name, offset);
    if (typeof place === 'string') reading.run.entryLines.set(entryKey(place, name), spotOf(reading, offset).line);
    setField(value, name, plainOf(reading, item, place === FILE ? name : DEEP));
  }
  return value;
}

/** The text of a key as it is written: a tag may be called 2026. */
function nameOf(key: unknown): string | null {
  if (!isScalar(key)) return null;
  return typeof key.value === 'string' ? key.value : key.value === null ? null : (key.source ?? String(key.value));
}

/** An alias is the same value again. Anchored values that hold aliases would grow exponentially. */
function aliasOf(reading: Reading, source: string, offset: number): unknown {
  reading.run.aliases += 1;
  if (reading.run.aliases === MAX_ALIASES + 1) refuse(reading, offset, `At most ${MAX_ALIASES} aliases are allowed.`);
  if (reading.anchored > 0) refuse(reading, offset, 'A value with an anchor must not contain an alias.');
  return reading.anchors.get(source) ?? null;
}

function locate(blocks: Block[], run: Run, path: Path): Spot {
  const entry = path.length > 1 ? run.entryLines.get(entryKey(String(path[0]), String(path[1]))) : undefined;
  const block =
    (entry === undefined ? blockOfSection(blocks, path) : blocks.findLast(({ line }) => line < entry)) ?? blocks[0];
  if (!block) return { line: 1, column: 1 };
  const lines = new LineCounter();
  const [document] = parse(block, lines);
  let offset = document?.contents?.range?.[0] ?? 0;
  let node: unknown = document?.contents;
  for (const part of path) {
    if (isMap(node)) {
      const pair = (node.items as Pair<Node, Node | null>[]).find(({ key }) => nameOf(key) === String(part));
      if (!pair) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    } else if (isSeq(node) && typeof part === 'number' && node.items[part]) {
      node = node.items[part];
      offset = (node as Node).range?.[0] ?? offset;
    } else break;
  }
  return spotOf({ block, lines }, offset);
}

function blockOfSection(blocks: Block[], [section]: Path): Block | undefined {
  const start = `${String(section)}:`;
  return blocks.find(({ text, header }) => (header ?? text).startsWith(start));
}
