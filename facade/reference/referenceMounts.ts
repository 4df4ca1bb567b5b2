import type Koa from 'koa';
import { notFound } from '../../src/kernel/errors.ts';
import { GUIDES_PATH, OWN_PATHS } from '../../src/kernel/origins.ts';
import { type Mounts, only } from '../app.ts';
import type { Manifest } from '../manifest.ts';
import { htmlPages } from './htmlPages.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { markdownPages, type Source, sourceOf, tagsOf } from './markdownPages.ts';
import { FILES, INDEX_PATH, POLICY } from './pageLayout.ts';
import { Sendable } from './Sendable.ts';
import { searchIndex } from './searchIndex.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const PAGE = 'text/html; charset=utf-8';
const PAGE_HEADERS = { 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'same-origin' };

const MOUNTED = [OWN_PATHS.reference, OWN_PATHS.llms, OWN_PATHS.llmsFull, GUIDES_PATH];

/**
 * The documentation, for people and machines: everything below /reference, the guides at /docs/<name>.md, and llms.txt. It is
 * public and the same for everybody. Nothing is written before it is asked for, and everything only once.
 */
export function referenceMounts(manifest: () => Manifest): Mounts {
  const documentation = once(() => new Documentation(sourceOf(manifest())));
  const serve: Koa.Middleware = async (ctx) => {
    const wanted = ctx.path.length > 1 ? ctx.path.replace(/\/$/, '') : ctx.path;
    const known = documentation();
    const moved = known.movedTo(wanted);
    if (moved) return ctx.redirect(moved);
    const file = known.fileAt(wanted, () => {
      ctx.vary('Accept');
      return ctx.accepts('text/html', 'text/markdown') === 'text/markdown';
    });
    if (!file) throw notFound('page');
    await file.send(ctx);
  };
  return Object.fromEntries(MOUNTED.map((path) => [path, [only('GET', 'HEAD'), serve]]));
}

/** Every file of the documentation by its path, written when it is first asked for. */
class Documentation {
  readonly #written = new Map<string, Sendable>();
  readonly #writers = new Map<string, () => Sendable>();
  /** Pages for people, and where each is in Markdown. */
  readonly #markdownOf = new Map<string, string>();
  /** Where operations are described, by the paths that their names suggest. */
  readonly #moved = new Map<string, string>();

  constructor(source: Source) {
    const { manifest } = source;
    const add = (path: string, type: string, write: () => string, headers?: Record<string, string>) =>
      this.#writers.set(path, () => new Sendable(type, write(), headers));
    add(OWN_PATHS.llms, PLAIN, () => llmsText(source));
    add(OWN_PATHS.llmsFull, PLAIN, () => llmsFullText(source));
    add(INDEX_PATH, 'application/json; charset=utf-8', () => searchIndex(source));
    for (const { path, type, text } of Object.values(FILES)) add(path, type, () => text);
    for (const { path, write } of markdownPages(source)) add(path, MARKDOWN, write);
    for (const { path, markdownPath, write } of htmlPages(source)) {
      add(path, PAGE, write, PAGE_HEADERS);
      this.#markdownOf.set(path, markdownPath);
    }
    for (const { segment, operations } of tagsOf(manifest)) {
      const page = `${OWN_PATHS.reference}/${segment}`;
      for (const { id } of operations) this.#moved.set(`${OWN_PATHS.reference}/${id}`, `${page}#${id}`);
    }
  }

  movedTo(path: string): string | null {
    return this.#moved.get(path) ?? null;
  }

  /** `prefersMarkdown` is only asked about what there is in two forms. */
  fileAt(path: string, prefersMarkdown: () => boolean): Sendable | null {
    const markdownPath = this.#markdownOf.get(path);
    const wanted = markdownPath && prefersMarkdown() ? markdownPath : path;
    const known = this.#written.get(wanted) ?? this.#writers.get(wanted)?.();
    if (known) this.#written.set(wanted, known);
    return known ?? null;
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
