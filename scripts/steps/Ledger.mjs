import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Folders in which no step looks for its inputs. */
const SKIPPED = new Set(['node_modules', 'dist', '.cache']);

/**
 * Remembers what each step was made from when it last succeeded: this is the one place that decides whether a step has to run
 * again. Contents decide; a file is read only if its time or size is not the one of last time, so that a look at everything
 * takes a moment. The file is replaced as a whole.
 */
export class Ledger {
  #file;
  #steps = {};
  #known = {};
  #listed = new Map();
  #hashed = new Map();

  /** Whether files were read whose times were unknown: `save` makes the next look quick again. */
  hasNews = false;

  constructor(file) {
    this.#file = file;
    if (!existsSync(file)) return;
    try {
      ({ steps: this.#steps, files: this.#known } = JSON.parse(readFileSync(file, 'utf8')));
    } catch {
      // Nothing is known then, and everything is made again.
    }
  }

  /** Whether nothing that the step is made from has changed, and what it made is there as it was made. */
  isFresh(step) {
    return this.wasMade(step) && this.#steps[step.name].inputs === this.digest(step);
  }

  /** Whether the last run of the step succeeded, and what it made is there as it was made. */
  wasMade(step) {
    const outputs = step.outputs ?? [];
    return (
      step.name in this.#steps && outputs.every(existsSync) && this.#steps[step.name].outputs === this.#of(outputs)
    );
  }

  /** Forgets the last success, on the disk too: if this run breaks off, what it leaves does not count as made. */
  begin(step) {
    delete this.#steps[step.name];
    this.save();
  }

  /** Remembers a success. `inputs` is the digest from before the run: what was changed meanwhile is a change. */
  succeed(step, inputs) {
    this.forgetLooks();
    this.#steps[step.name] = { inputs, outputs: this.#of(step.outputs ?? []), files: this.#hashes(step) };
    this.save();
  }

  /** The inputs that are not as they were at the last success; null where there was none. */
  changed(step) {
    const before = this.#steps[step.name]?.files;
    if (!before) return null;
    const now = this.#hashes(step);
    return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((file) => before[file] !== now[file]);
  }

  /** Of the step's inputs as they are now, and of its commands. */
  digest(step) {
    const hash = createHash('sha256').update(JSON.stringify(step.run));
    for (const file of this.#inputs(step)) hash.update(`${file}\0${this.#hash(file)}\0`);
    return hash.digest('hex');
  }

  /** Files are looked at once; this looks again, after a step has made some. */
  forgetLooks() {
    this.#listed.clear();
    this.#hashed.clear();
  }

  save() {
    mkdirSync(path.dirname(this.#file), { recursive: true });
    const draft = `${this.#file}.${process.pid}`;
    writeFileSync(draft, JSON.stringify({ steps: this.#steps, files: this.#known }));
    renameSync(draft, this.#file);
    this.hasNews = false;
  }

  /** Only steps that ask which inputs changed need them one by one. */
  #hashes(step) {
    if (!step.takesChanged) return undefined;
    return Object.fromEntries(this.#inputs(step).map((file) => [file, this.#hash(file)]));
  }

  /** Of single files the content, which somebody may have edited; of folders, that they are there. */
  #of(outputs) {
    return outputs.map((output) => (path.extname(output) ? this.#hash(output) : 'folder')).join();
  }

  /** All files that the step is made from, sorted. An input is a file or a folder; with `!` it is left out. */
  #inputs({ inputs }) {
    const left = inputs.filter((input) => input.startsWith('!')).map((input) => input.slice(1));
    const isLeft = (file) => left.some((place) => file === place || file.startsWith(`${place}/`));
    const files = inputs.filter((input) => !input.startsWith('!')).flatMap((input) => this.#filesOf(input));
    return files.filter((file) => !isLeft(file)).sort();
  }

  #filesOf(place) {
    let files = this.#listed.get(place);
    if (!files) {
      files = statSync(place, { throwIfNoEntry: false })?.isDirectory() ? filesIn(place) : [place];
      this.#listed.set(place, files);
    }
    return files;
  }

  #hash(file) {
    let hash = this.#hashed.get(file);
    if (hash === undefined) {
      hash = this.#lookAt(file);
      this.#hashed.set(file, hash);
    }
    return hash;
  }

  #lookAt(file) {
    const stat = statSync(file, { throwIfNoEntry: false });
    if (!stat) return 'missing';
    const [time, size, known] = this.#known[file] ?? [];
    if (time === stat.mtimeMs && size === stat.size) return known;
    const hash = createHash('sha256').update(readFileSync(file)).digest('base64url').slice(0, 20);
    this.#known[file] = [stat.mtimeMs, stat.size, hash];
    this.hasNews = true;
    return hash;
  }
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const place = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : filesIn(place);
    return entry.isFile() ? [place] : [];
  });
}
