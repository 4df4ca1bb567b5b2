import { OWN_PATHS } from '../../src/kernel/origins.ts';
import { webhookBodies } from '../manifest.ts';
import { GUIDE_PAGES, type Source, tagsOf } from './markdownPages.ts';

/** What a search looks through: a name, what it is about, and its address. */
type Entry = [name: string, about: string, address: string];

const { reference: REFERENCE } = OWN_PATHS;

/** Operations, events, error codes and guides, as JSON. */
export function searchIndex({ manifest, guides }: Source): string {
  const { errors, operations } = manifest;
  const segments = new Map(tagsOf(manifest).map(({ name, segment }) => [name, segment]));
  const entries: Entry[] = [
    ...operations.map(
      ({ id, summary, method, path, call, tag }): Entry => [
        summary,
        `${method} ${path} ${call}`,
        `${REFERENCE}/${segments.get(tag)}#${id}`,
      ],
    ),
    ...webhookBodies(manifest).map(
      ({ type, summary }): Entry => [type, summary, `${REFERENCE}/webhooks#event-${type}`],
    ),
    ...Object.entries(errors).map(([code, status]): Entry => [code, `error ${status}`, `${REFERENCE}#error-${code}`]),
    ...GUIDE_PAGES.map(({ name, title }): Entry => [title, `page ${name}`, `${REFERENCE}/${name}`]),
    ...guides.map(({ name, title, note }): Entry => [title, note, `${REFERENCE}/guides/${name}`]),
  ];
  return JSON.stringify(entries);
}
