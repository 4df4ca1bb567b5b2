import { graphql, type ResultOf } from '../../kernel/graphql.ts';

/** Why an opening was traced back to a click, or was not: of an install, or of what somebody made up. */
export const MATCH_REPORT = graphql(`
  fragment MatchReport on MatchReport @_unmask {
    match {
      matched
      guaranteed
      method
      confidence
      score
    }
    matchRevisedAt
    clickId
    linkId
    why
    threshold
    requiredMargin
    margin
    address {
      shared
      why
      visitors
    }
    tokens {
      source
      accepted
      problem
      why
    }
    device
    candidates {
      clickId
      linkId
      link {
        shortUrl
      }
      clickedAt
      score
      factors {
        name
        points
      }
      verdict
      why
    }
  }
`);

export type MatchReport = ResultOf<typeof MATCH_REPORT>;
export type Candidate = MatchReport['candidates'][number];
export type Factor = Candidate['factors'][number];

/** The click that is drawn: the one that matched, else the one that came closest. */
export function bestOf({ candidates }: MatchReport): Candidate | null {
  return candidates.find(({ verdict }) => verdict === 'matched') ?? candidates[0] ?? null;
}

/** What a table takes in the place of a query, when its rows are there already. */
export const LOADED = { isPending: false, error: null, refetch: () => {} };
