import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';
import { useCan } from '../../session/permissions.ts';
import { useProjectId } from '../../session/session.ts';
import { MATCH_REPORT } from '../match/report.ts';
import { type Inputs, inputsOf, textOf } from './inputs.ts';
import { PRESETS } from './presets.ts';

export const SIMULATE = graphql(
  `
    query SimulatedMatch($projectId: ID!, $input: SimulateMatchInput!) {
      simulateMatch(projectId: $projectId, input: $input) {
        ...MatchReport
      }
    }
  `,
  [MATCH_REPORT],
);

/** Somebody who writes is not asked about for each letter. */
const WRITING_MS = 400;

/** The inputs of the address, what somebody makes of them, and what would be found. */
export function useSimulation() {
  const projectId = useProjectId();
  const { inputs: text } = useSearch({ from: '/shell/apps/simulator' });
  const navigate = useNavigate({ from: '/apps/simulator' });
  const { isAllowed, why } = useCan('installs:read');
  const given = inputsOf(text);
  const [inputs, setInputs] = useState<Inputs>(given ?? PRESETS.iphone);
  // What the form itself has written there: everything else came by a link.
  const written = useRef(text);
  useEffect(() => {
    if (text === written.current) return;
    written.current = text;
    setInputs(inputsOf(text) ?? PRESETS.iphone);
  }, [text]);
  const writeLater = useDebouncedCallback((changed: Inputs) => {
    written.current = textOf(changed);
    void navigate({
      search: (earlier) => ({ ...earlier, inputs: written.current }),
      replace: true,
      resetScroll: false,
    });
  }, WRITING_MS);
  const query = useAsk({
    about: 'apps',
    document: SIMULATE,
    variables: { projectId, input: given ?? PRESETS.iphone },
    isEnabled: isAllowed,
  });
  const change = (changed: Inputs) => {
    setInputs(changed);
    writeLater(changed);
  };
  return { inputs, change, query, whyNot: isAllowed ? null : why, isUnreadable: text !== undefined && given === null };
}
