import { type Html, html } from '../../src/kernel/html.ts';
import { OWN_PATHS } from '../../src/kernel/origins.ts';
import type { Manifest, ManifestOperation } from '../manifest.ts';
import { codeHtml } from './codeHtml.ts';
import { paramsHtml, schemaHtml } from './fieldsHtml.ts';
import { inlineHtml, markdownHtml } from './markdownHtml.ts';
import { answerText, DANGERS, needText } from './operationText.ts';
import { SAMPLE_NAMES, samplesOf } from './samples.ts';
import { fieldsOf, nameOfRef } from './schemaText.ts';

/** An operation for people: what it does and takes on one side, samples on the other. */
export function operationHtml(operation: ManifestOperation, manifest: Manifest): Html {
  const { id, summary, method, path, description, danger } = operation;
  return html`<section class="operation" id="${id}" aria-labelledby="${id}-title">
<div class="about">
<h2 id="${id}-title"><a class="anchor" href="#${id}">${summary}</a></h2>
<p class="path"><code><b class="method ${method.toLowerCase()}">${method}</b> ${path}</code></p>
${description ? markdownHtml(description, { prefix: `${id}-`, deeper: 2 }) : null}
<p class="needs">${inlineHtml(needText(operation))}${danger ? html` <strong>${DANGERS[danger]}</strong>` : null}</p>
${inputHtml(operation, manifest)}
${outputHtml(operation, manifest)}
${codesHtml(operation, manifest)}
</div>
<div class="samples">
${requestsHtml(operation)}
${answerHtml(operation)}
</div>
</section>
`;
}

function inputHtml({ params, body }: ManifestOperation, { schemas }: Manifest): Html {
  const groups = [
    ['Path', params.filter((param) => param.in === 'path')],
    ['Query', params.filter((param) => param.in === 'query')],
  ] as const;
  const isJson = body?.mediaType === 'application/json';
  const fields = body && isJson ? schemaHtml(body.schema, schemas) : null;
  return html`${groups
    .filter(([, its]) => its.length > 0)
    .map(([title, its]) => html`<h3>${title}</h3>${paramsHtml(its, schemas)}`)}${
    body
      ? html`<h3>Body</h3>${fields ?? html`<p>A ${isJson ? 'JSON object' : `file, <code>${body.mediaType}</code>`}.</p>`}`
      : null
  }`;
}

function outputHtml(operation: ManifestOperation, { schemas }: Manifest): Html {
  const { schema } = operation.answer;
  const fields = schema && schemaHtml(schema, schemas, false);
  const isRef = typeof schema?.$ref === 'string' && fieldsOf(schemas[nameOfRef(schema.$ref)] ?? {}).length > 0;
  const name = isRef ? nameOfRef(schema?.$ref as string) : 'the answer';
  return html`<h3>Answer</h3><p>${inlineHtml(answerText(operation))}</p>${
    fields ? html`<details><summary>Fields of <code>${name}</code></summary>${fields}</details>` : null
  }`;
}

/** Every code with its status; what to do about it stands once, on the first page. */
function codesHtml({ codes }: ManifestOperation, { errors, advice }: Manifest): Html {
  const rows = codes.map(
    (code) =>
      html`<tr><td>${String(errors[code])}</td><td><a href="${OWN_PATHS.reference}#error-${code}"><code>${code}</code></a></td><td>${inlineHtml(advice[code] ?? '')}</td></tr>`,
  );
  return html`<details class="codes"><summary>${String(codes.length)} error codes</summary><div class="wide" role="group" tabindex="0" aria-label="Error codes"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">What to do</th></tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

function requestsHtml(operation: ManifestOperation): Html {
  const samples = samplesOf(operation);
  return html`${SAMPLE_NAMES.map((name, at) => {
    const sample = samples.find((one) => one.name === name);
    const title = `${operation.summary}: ${name}`;
    return html`<div class="sample in-${String(at)}"><p class="language">${name}</p>${
      sample
        ? codeHtml(sample.language, sample.code, title)
        : html`<p class="none">Apps send this, through their SDK.</p>`
    }</div>`;
  })}`;
}

function answerHtml({ summary, answer: { status, example, kind } }: ManifestOperation): Html | null {
  if (kind === 'none' || example === null) return null;
  const text = JSON.stringify(example, null, 2);
  return html`<div class="sample"><p class="language">Answer ${String(status)}</p>${codeHtml('json', text, `${summary}: answer`)}</div>`;
}
