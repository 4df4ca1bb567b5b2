import { VERIFIERS } from '../../sdk/verifiers.ts';
import { Html, html } from '../../src/kernel/html.ts';
import { GUIDES_PATH, OWN_PATHS } from '../../src/kernel/origins.ts';
import { type Manifest, type ManifestEvent, webhookBodies } from '../manifest.ts';
import { codeHtml } from './codeHtml.ts';
import { schemaHtml } from './fieldsHtml.ts';
import type { ReadGuide } from './guides.ts';
import { inlineHtml, markdownHtml } from './markdownHtml.ts';
import { GUIDE_PAGES, type Source, startText, type TagOf, tagsOf } from './markdownPages.ts';
import { operationHtml } from './operationHtml.ts';
import { type Group, layOutPage, type Page, type Place } from './pageLayout.ts';
import { SAMPLE_NAMES } from './samples.ts';

const { reference: REFERENCE } = OWN_PATHS;

/** A page for people. */
interface HtmlPage {
  path: string;
  markdownPath: string;
  write(): string;
}

/** The pages for people. */
export function htmlPages(source: Source): HtmlPage[] {
  const { manifest, guides } = source;
  const groups = groupsOf(source);
  const page = (path: string, markdownPath: string, contentOf: () => Content): HtmlPage => ({
    path,
    markdownPath,
    write: () => layOutPage({ path, markdownPath, ...contentOf() }, groups),
  });
  return [
    page(REFERENCE, `${REFERENCE}/start.md`, () => startPage(manifest)),
    ...tagsOf(manifest).map((tag) => {
      const path = pathOf(tag.segment);
      return page(path, `${path}.md`, () => tagPage(tag, manifest));
    }),
    ...GUIDE_PAGES.map(({ name, title, guides: parts }) => {
      const found = guides.filter((guide) => parts.includes(guide.name));
      return page(pathOf(name), `${pathOf(name)}.md`, () => guidePage(title, found));
    }),
    ...guides.map((guide) =>
      page(guidePath(guide.name), `${GUIDES_PATH}/${guide.name}.md`, () => guidePage(guide.title, [guide])),
    ),
  ];
}

type Content = Pick<Page, 'title' | 'main'>;

function pathOf(segment: string): string {
  return `${REFERENCE}/${segment}`;
}

function guidePath(name: string): string {
  return `${REFERENCE}/guides/${name}`;
}

/** The navigation. */
function groupsOf({ manifest, guides }: Source): Group[] {
  const place = (path: string, title: string): Place => ({ path, title });
  const own = new Set(GUIDE_PAGES.flatMap((page) => page.guides));
  const guidePlaces = guides
    .filter(({ name }) => !own.has(name))
    .map(({ name, title }) => place(guidePath(name), title));
  return [
    { title: 'Start', places: [place(REFERENCE, 'How the API works')] },
    { title: 'Operations', places: tagsOf(manifest).map(({ segment, name }) => place(pathOf(segment), name)) },
    {
      title: 'Tools',
      places: GUIDE_PAGES.map(({ name, title }) => place(pathOf(name), title)),
    },
    { title: 'Guides', places: guidePlaces },
  ];
}

function startPage(manifest: Manifest): Content {
  const tags = tagsOf(manifest).map(
    ({ segment, name, description }) =>
      html`<li><a href="${pathOf(segment)}">${name}</a>: ${inlineHtml(description)}</li>`,
  );
  return {
    title: 'svc API',
    main: html`<h1>svc API</h1>
${markdownHtml(startText(manifest))}
<h2 id="operations">Operations</h2>
<ul class="list">${tags}</ul>
<h2 id="error-codes">Error codes</h2>
${errorsHtml(manifest)}`,
  };
}

/** `doc_url` of an error leads to its row. */
function errorsHtml({ errors, advice }: Manifest): Html {
  const rows = Object.entries(errors).map(
    ([code, status]) =>
      html`<tr id="error-${code}"><td>${String(status)}</td><td><code>${code}</code></td><td>${inlineHtml(advice[code] ?? '')}</td></tr>`,
  );
  return html`<div class="wide" role="group" tabindex="0" aria-label="Error codes"><table><thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">What to do</th></tr></thead><tbody>${rows}</tbody></table></div>`;
}

function tagPage(tag: TagOf, manifest: Manifest): Content {
  const { name, description, operations } = tag;
  const isWebhooks = name === 'Webhooks';
  const items = operations.map(
    ({ id, method, summary }) =>
      html`<li><span class="method ${method.toLowerCase()}">${method}</span> <a href="#${id}">${summary}</a></li>`,
  );
  const more = html`<li><a href="#events">Events</a></li><li><a href="#verify">Verifying a signature</a></li>`;
  return {
    title: name,
    main: html`<h1>${name}</h1>
<p>${inlineHtml(description)}</p>
<ul class="list">${items}${isWebhooks ? more : null}</ul>
${choiceHtml()}
${operations.map((operation) => operationHtml(operation, manifest))}
${isWebhooks ? html`${eventsHtml(manifest)}${verifiersHtml()}` : null}`,
  };
}

/** Chooses the language of all samples of a page, by style alone. */
function choiceHtml(): Html {
  const choices = SAMPLE_NAMES.map(
    (name, at) =>
      html`<label><input type="radio" name="language" id="in-${String(at)}"${at === 0 ? html` checked` : null}>${name}</label>`,
  );
  return html`<fieldset class="choice"><legend>Samples in</legend>${choices}</fieldset>`;
}

function eventsHtml(manifest: Manifest): Html {
  const { schemas } = manifest;
  const bodies = webhookBodies(manifest);
  const eventHtml = ({ type, summary, schema, example }: ManifestEvent) => {
    const fields = schemaHtml({ $ref: schema }, schemas, false);
    return html`<section class="event" id="event-${type}" aria-labelledby="event-${type}-title">
<div class="about"><h3 id="event-${type}-title"><a class="anchor" href="#event-${type}">${type}</a></h3><p>${inlineHtml(summary)}</p>
<details><summary>Fields of <code>${schema}</code></summary>${fields}</details></div>
<div class="samples"><div class="sample"><p class="language">Body</p>${codeHtml('json', JSON.stringify(example, null, 2), `${type}: body`)}</div></div>
</section>
`;
  };
  const items = bodies.map(({ type, summary }) => html`<li><a href="#event-${type}">${type}</a>: ${summary}</li>`);
  return html`<h2 id="events">Events</h2>
<p>The body of a delivery is one of these. How deliveries are signed and repeated stands under <a href="${REFERENCE}#webhooks">Webhooks</a>.</p>
<ul class="list">${items}</ul>
${bodies.map(eventHtml)}`;
}

function verifiersHtml(): Html {
  const parts = VERIFIERS.map(
    ({ name, language, code }) =>
      html`<h3 id="verify-${name.toLowerCase()}">${name}</h3>${codeHtml(language, code().trim(), `Verifying in ${name}`)}`,
  );
  return html`<h2 id="verify">Verifying a signature</h2>
<p>The package for Node is on the page of <a href="${pathOf('sdk')}">packages</a>. Without it, these functions take the raw body, the header <code>SVC-Signature</code> and the secret, and say whether a delivery is genuine.</p>
${parts}`;
}

/** Guides one after another; links between guides stay among the pages for people. */
function guidePage(title: string, guides: readonly ReadGuide[]): Content {
  const [only, ...others] = guides;
  // Several guides stand below the title of the page, each with anchors of its own.
  const parts =
    only && others.length === 0
      ? [markdownHtml(only.markdown)]
      : [
          html`<h1>${title}</h1>`,
          ...guides.map(({ name, markdown }) => markdownHtml(markdown, { prefix: `${name}-`, deeper: 1 })),
        ];
  return { title, main: new Html(withPagesOf(parts.map((part) => part.markup).join('\n'))) };
}

/** `/docs/tour.md#webhooks` is `/reference/guides/tour#webhooks` for people. */
function withPagesOf(markup: string): string {
  return markup.replaceAll(/href="\/docs\/([a-z0-9-]+)\.md/g, (_, name: string) => `href="${guidePath(name)}`);
}
