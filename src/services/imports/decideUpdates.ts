import { presentLink } from '../../events/presentLink.ts';
import { changedFields } from '../../imports/changedFields.ts';
import { CodedError } from '../../kernel/errors.ts';
import { canonicalHost } from '../../kernel/origins.ts';
import type { Link } from '../../models/Link.ts';
import type { LinkChange } from '../links/linkInput.ts';
import { linksByIds } from '../links/linksByIds.ts';
import { tagsOfLinks } from '../links/linkTags.ts';
import { parseLinkRow } from '../links/parseLinkRow.ts';
import { prepareChanges } from '../links/prepareChanges.ts';
import { type Candidate, type Decision, fieldProblems, problemsOf, settled } from './decision.ts';
import type { ImportRun } from './importRun.ts';

const SAME = [{ column: '', message: 'Nothing is different.' }];
const GONE = [{ column: '', message: 'The link was deleted meanwhile.' }];

/** What will become of rows whose links are there already. A row that changes nothing is skipped. */
export async function decideUpdates(run: ImportRun, candidates: Candidate[]): Promise<Decision[]> {
  const ids = candidates.flatMap(({ named }) => named?.linkId ?? []);
  const links = await linksByIds(run.project, ids);
  const tags = await tagsOfLinks([...links.keys()]);
  const changes: { link: Link; input: LinkChange }[] = [];
  const early = candidates.map((candidate): Decision | null => {
    const link = links.get(candidate.named?.linkId ?? '');
    if (!link) return settled(candidate, 'failed', GONE);
    const names = (tags.get(link.id) ?? []).map(({ name }) => name);
    const changed = changedFields(canonical(candidate.link), presentLink(link, names));
    if (Object.keys(changed).length === 0) return settled(candidate, 'skipped', SAME, link.id);
    const row = parseLinkRow('update', changed);
    if ('problems' in row) return settled(candidate, 'failed', fieldProblems(run.plan, row.problems));
    changes.push({ link, input: row.input });
    return null;
  });
  const prepared = (await prepareChanges(run.project, changes, 'wait')).values();
  return candidates.map((candidate, at): Decision => {
    const known = early[at];
    if (known) return known;
    const change = prepared.next().value as Exclude<ReturnType<typeof prepared.next>['value'], undefined>;
    if (change instanceof CodedError) return settled(candidate, 'failed', problemsOf(run.plan, change));
    const { line, nth, notes } = candidate;
    return { line, nth, notes, change };
  });
}

function canonical(link: Record<string, unknown>): Record<string, unknown> {
  return typeof link.domain === 'string' ? { ...link, domain: canonicalHost(link.domain) ?? link.domain } : link;
}
