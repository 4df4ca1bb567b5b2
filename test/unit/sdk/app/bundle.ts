import { build, type Format } from 'esbuild';
import { inRoot } from '../../../support/root.ts';

const ENTRY = inRoot('sdk/app/index.ts');

/** The SDK as one minified file, as apps ship it to old engines; `iife` puts it into the global `svc`. */
export async function bundle(format: Format): Promise<{ code: string; inputs: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [ENTRY],
    bundle: true,
    minify: true,
    format,
    globalName: 'svc',
    target: 'es2017',
    write: false,
    metafile: true,
  });
  return { code: String(outputFiles[0]?.text), inputs: Object.keys(metafile.inputs) };
}
