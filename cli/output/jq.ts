import { raw } from 'jq-wasm';

/** What `jq` prints for this JSON. A file of its own in the package: 1.4 MB that most commands do not need. */
export async function runJq(json: string, expression: string, isPretty: boolean): Promise<string> {
  return raw(json, expression, isPretty ? ['-r'] : ['-r', '-c']);
}
