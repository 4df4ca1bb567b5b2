import { useDebouncedValue } from '@mantine/hooks';
import { type FieldProblem, pathOf } from '../../kernel/GraphqlError.ts';
import type { ResultOf, VariablesOf } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';
import { useProjectId } from '../../session/session.ts';
import { changesOf, type Draft, inputOf } from './draft.ts';
import { DRAFT_LINK } from './operations.ts';

export type DraftCheck = ResultOf<typeof DRAFT_LINK>['draftLink'];
export type Visitor = VariablesOf<typeof DRAFT_LINK>['visitor'];

const DEBOUNCE_MS = 300;

/**
 * What the server says to a link that is not saved: what it would refuse, where it would lead, which links lead there already.
 * Null until it has said something; not current while it is about an earlier state of the draft.
 */
export function useDraftCheck(
  draft: Draft,
  linkId: string | null,
  visitor: Visitor,
): { check: DraftCheck | null; isCurrent: boolean } {
  const projectId = useProjectId();
  const now = linkId === null ? inputOf(draft) : changesOf(draft);
  const [input] = useDebouncedValue(now, DEBOUNCE_MS);
  const { data, isPlaceholderData } = useAsk({
    about: 'links',
    document: DRAFT_LINK,
    variables: { projectId, linkId, input, visitor },
  });
  const isCurrent = !isPlaceholderData && JSON.stringify(now) === JSON.stringify(input);
  return { check: data?.draftLink ?? null, isCurrent };
}

/** Problems that are worth showing while somebody still writes: not those of fields that they have not come to. */
export function visibleProblems(problems: readonly FieldProblem[], draft: Draft, isSubmitted: boolean): FieldProblem[] {
  if (isSubmitted) return [...problems];
  return problems.filter((problem) => {
    const path = pathOf(problem);
    if (path === 'destination') return draft.destination !== '';
    return !path.startsWith('routing.');
  });
}
