import { GraphqlError } from '../../kernel/GraphqlError.ts';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { ClickedLink } from '../match/ClickedLink.tsx';
import { MatchPicture } from '../match/MatchPicture.tsx';
import type { Candidate, MatchReport } from '../match/report.ts';
import type { ClickInput, Inputs } from './inputs.ts';

interface ResultProps {
  inputs: Inputs;
  query: {
    data: { simulateMatch: MatchReport } | undefined;
    error: Error | null;
    refetch: () => unknown;
  };
}

/** What would be found for the inputs. */
export function Result({ inputs, query: { data, error, refetch } }: ResultProps) {
  const { sim } = t.apps;
  if (error) {
    const isInvalid = error instanceof GraphqlError && error.fields.length > 0;
    return <Card title={sim.result}>{isInvalid ? sim.invalid : <ErrorState error={error} retry={refetch} />}</Card>;
  }
  if (!data) {
    return (
      <Card title={sim.result}>
        <LoadingRows />
      </Card>
    );
  }
  return (
    <MatchPicture
      report={data.simulateMatch}
      title={sim.result}
      ageOf={(candidate) => 1000 * (inputOf(inputs, candidate)?.secondsBefore ?? DEFAULT_SECONDS)}
      nameOf={(candidate) => <ClickName candidate={candidate} />}
    />
  );
}

/** What the server takes when nothing is said. */
const DEFAULT_SECONDS = 60;

/** The number of another click in the id that the server gave it, from 0; null: it is the first. */
function otherOf({ clickId }: Candidate): number | null {
  const number = /^other_clicks\.(\d+)$/.exec(clickId)?.[1];
  return number === undefined ? null : Number(number);
}

function inputOf({ click, otherClicks }: Inputs, candidate: Candidate): ClickInput | undefined {
  const other = otherOf(candidate);
  return other === null ? click : otherClicks?.[other];
}

function ClickName({ candidate }: { candidate: Candidate }) {
  const { sim } = t.apps;
  const other = otherOf(candidate);
  return (
    <>
      {other === null ? sim.first : sim.otherClick(other + 1)}
      {' · '}
      <ClickedLink candidate={candidate} />
    </>
  );
}
