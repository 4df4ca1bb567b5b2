import { type Click, FORMAT } from './click.ts';

/** What a click's line says of its link. */
type OfLink = 'teamId' | 'projectId' | 'linkId' | 'domain' | 'slug' | 'utm' | 'tagIds';

/** The same as JSON, made once for each version of a link: of a link that nobody asked for lately every value is far away. */
export interface LinkInLine {
  whose: string;
  utm: string;
  owner: string;
}

export function linkInLine(link: Pick<Click, OfLink>): LinkInLine {
  return {
    whose: flat(valuesOf([link.projectId, link.linkId, link.domain, link.slug])),
    utm: JSON.stringify(link.utm),
    owner: flat(valuesOf([link.teamId, link.tagIds])),
  };
}

/** The line that `encodeClick` gives for the whole click. */
export function lineOf(link: LinkInLine, click: Omit<Click, OfLink>): string {
  const visit = valuesOf([
    click.occurredAt,
    click.trafficClass,
    click.trafficReason,
    click.country,
    click.region,
    click.city,
    click.platform,
    click.device,
    click.browser,
    click.language,
    click.referrerHost,
    click.destination,
    click.rule,
  ]);
  const device = valuesOf([click.osVersion, click.deviceModel]);
  const { id, visitor, addressHash } = click;
  // These three are made here: nothing in them needs to be escaped.
  return `[${FORMAT},"${id}",${link.whose},${visit},${link.utm},"${visitor}","${addressHash}",${link.owner},${device}]`;
}

function valuesOf(values: unknown[]): string {
  return JSON.stringify(values).slice(1, -1);
}

/** A copy: a piece of a string would keep the whole. */
function flat(text: string): string {
  return Buffer.from(text).toString();
}
