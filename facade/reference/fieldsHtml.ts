import { type Html, html } from '../../src/kernel/html.ts';
import type { Manifest, ManifestParam } from '../manifest.ts';
import type { Json } from '../openapi/parts.ts';
import { inlineHtml } from './markdownHtml.ts';
import { fieldsOf, limitsText, nameOfRef, typeText } from './schemaText.ts';

type Schemas = Manifest['schemas'];

/** One row: a parameter or a field. */
interface Row {
  name: string;
  isRequired: boolean;
  description: string | null;
  schema: Json;
}

/** Parameters as a list of names, types and notes. */
export function paramsHtml(params: readonly ManifestParam[], schemas: Schemas): Html {
  return rowsHtml(
    params.map(({ name, required, description, schema }) => ({ name, isRequired: required, description, schema })),
    schemas,
    [],
  );
}

/** The fields of a schema, with those of objects in them folded away. Null if it has none. */
export function schemaHtml(schema: Json, schemas: Schemas, marksRequired = true): Html | null {
  const [name, resolved] = resolve(schema, schemas);
  const rows = rowsOf(resolved, marksRequired);
  return rows.length > 0 ? rowsHtml(rows, schemas, name ? [name] : [], marksRequired) : null;
}

/** In answers every field is always there, so that nothing is marked. */
function rowsOf(schema: Json, marksRequired: boolean): Row[] {
  return fieldsOf(schema).map((field) => ({ ...field, isRequired: marksRequired && field.isRequired }));
}

function rowsHtml(rows: readonly Row[], schemas: Schemas, above: readonly string[], marksRequired = true): Html {
  // What must be there comes first; the sort keeps the order of all others.
  const sorted = rows.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
  return html`<dl class="fields">${sorted.map((row) => rowHtml(row, schemas, above, marksRequired))}</dl>`;
}

function rowHtml(row: Row, schemas: Schemas, above: readonly string[], marksRequired: boolean): Html {
  const { name, isRequired, description, schema } = row;
  const limits = limitsText(schema);
  const notes = [description && inlineHtml(description), limits && html`<span class="limits">${limits}</span>`];
  return html`<div><dt><code>${name}</code> <span class="type">${typeText(schema)}</span>${
    isRequired ? html` <span class="required">required</span>` : null
  }</dt><dd>${notes.filter((note) => note !== null && note !== '').map((note) => html`${note} `)}${innerHtml(
    name,
    schema,
    schemas,
    above,
    marksRequired,
  )}</dd></div>`;
}

function innerHtml(
  name: string,
  schema: Json,
  schemas: Schemas,
  above: readonly string[],
  marksRequired: boolean,
): Html | null {
  const branches = branchesOf(schema, schemas, above).filter(([, branch]) => fieldsOf(branch).length > 0);
  if (branches.length === 0) return null;
  return html`${branches.map(
    ([type, branch]) =>
      html`<details><summary>Fields of <code>${branches.length > 1 && type ? type : name}</code></summary>${rowsHtml(
        rowsOf(branch, marksRequired),
        schemas,
        type ? [...above, type] : above,
        marksRequired,
      )}</details>`,
  )}`;
}

/** The objects that a value can be or hold: the branches of a union, the entries of a list. A type within itself is left out. */
function branchesOf(schema: Json, schemas: Schemas, above: readonly string[]): [string | null, Json][] {
  const [name, resolved] = resolve(schema, schemas);
  if (name && above.includes(name)) return [];
  const union = (resolved.oneOf ?? resolved.anyOf) as Json[] | undefined;
  if (union) return union.flatMap((branch) => branchesOf(branch, schemas, above));
  if (resolved.items) return branchesOf(resolved.items as Json, schemas, above);
  return [[name, resolved]];
}

function resolve(schema: Json, schemas: Schemas): [string | null, Json] {
  if (typeof schema.$ref !== 'string') return [null, schema];
  const name = nameOfRef(schema.$ref);
  return [name, schemas[name] ?? {}];
}
