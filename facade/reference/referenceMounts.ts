import type Koa from 'koa';
import { notFound } from '../../src/kernel/errors.ts';
import { GUIDES_PATH, OWN_PATHS } from '../../src/kernel/origins.ts';
import { type Mounts, only } from '../app.ts';
import type { Manifest } from '../manifest.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { markdownPages, sourceOf } from './markdownPages.ts';
import { Sendable } from './Sendable.ts';

const MARKDOWN = 'text/markdown; charset=utf-8';
const MOUNTED = [OWN_PATHS.reference, OWN_PATHS.llms, OWN_PATHS.llmsFull, GUIDES_PATH];
const PLAIN = 'text/plain; charset=utf-8';

/**
 * The documentation, for people and machines: everything below /reference, the guides at /docs/<name>.md, and llms.txt. It is
 * public and the same for everybody. Nothing is written before it is asked for.
 */
export function referenceMounts(manifest: () => Manifest): Mounts {
  const source = once(() => sourceOf(manifest()));
  const pages = once(() => new Map(markdownPages(source()).map(({ path, markdown }) => [path, markdown])));
  const files = new Map<string, Sendable>();
  const write = (path: string): Sendable | null => {
    if (path === OWN_PATHS.llms) return new Sendable(PLAIN, llmsText(source()));
    if (path === OWN_PATHS.llmsFull) return new Sendable(PLAIN, llmsFullText(source()));
    const markdown = pages().get(path);
    return markdown === undefined ? null : new Sendable(MARKDOWN, markdown);
  };
  const serve: Koa.Middleware = async (ctx) => {
    const file = files.get(ctx.path) ?? write(ctx.path);
    if (!file) throw notFound('page');
    files.set(ctx.path, file);
    await file.send(ctx);
  };
  return Object.fromEntries(MOUNTED.map((path) => [path, [only('GET', 'HEAD'), serve]]));
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
