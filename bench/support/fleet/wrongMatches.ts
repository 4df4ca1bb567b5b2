import { parseVisitor } from '../../../src/routing/visitor.ts';
import type { AmbiguityClass } from './ambiguity.ts';
import type { ClickEvent, OpenEvent } from './events.ts';
import { isRight } from './judge.ts';

/** A match with a link that did not lead to the install. */
export interface WrongMatch {
  /** What went wrong, in few words. */
  kind: string;
  /** What the click told, and how old it was. */
  example: string;
}

export function wrongMatches(
  classes: ReadonlyMap<OpenEvent, AmbiguityClass>,
  found: ReadonlyMap<OpenEvent, ClickEvent | null>,
): WrongMatch[] {
  return [...classes].flatMap(([open, name]) => {
    const click = found.get(open) ?? null;
    if (open.tenant !== 'own' || click === null || isRight(open, click)) return [];
    return [
      { kind: `${name}; taken for a click ${whose(open, click)}, ${click.network.kind}`, example: tell(open, click) },
    ];
  });
}

function whose(open: OpenEvent, click: ClickEvent): string {
  if (click.person === open.person) return 'of their own on another link';
  return click.person.home === open.person.home ? 'of the household' : 'of somebody else';
}

function tell({ atMs, phone: { told } }: OpenEvent, click: ClickEvent): string {
  const { osVersion, deviceModel, language } = parseVisitor(
    { userAgent: click.agent, acceptLanguage: click.acceptLanguage },
    'GET',
  );
  const minutes = ((atMs - click.atMs) / 60_000).toFixed(0);
  const app = `${told.device_model}, ${told.os_version}, ${told.language}`;
  return `the app told ${app}; ${minutes} min before a click told ${deviceModel ?? 'no model'}, ${osVersion ?? 'no version'}, ${language}`;
}
