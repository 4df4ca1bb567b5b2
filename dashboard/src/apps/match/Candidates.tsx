import type { ReactNode } from 'react';
import { formatDuration } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { Chip } from '../../ui/StateChip.tsx';
import styles from './match.module.css';
import { type Candidate, LOADED } from './report.ts';
import { factorName, signed } from './ScoreFigure.tsx';

interface CandidatesProps {
  candidates: readonly Candidate[];
  ageOf: (candidate: Candidate) => number;
  nameOf: (candidate: Candidate) => ReactNode;
}

/** All clicks that were compared, each with its points and why it matched or did not. */
export function Candidates({ candidates, ageOf, nameOf }: CandidatesProps) {
  const { match } = t.apps;
  return (
    <Card title={match.candidates} isFlush>
      <RecordTable
        label={match.candidates}
        rows={candidates}
        keyOf={({ clickId }) => clickId}
        query={LOADED}
        empty={null}
        columns={[
          { title: match.click, cell: nameOf },
          {
            title: match.before,
            isWords: true,
            cell: (candidate) => formatDuration(Math.max(0, ageOf(candidate))),
          },
          {
            title: match.value,
            isNumber: true,
            cell: ({ score }) => score,
          },
          {
            title: match.result,
            cell: ({ verdict, why, factors }) => (
              <>
                <Chip tone={verdict === 'matched' ? 'good' : 'soft'}>{match.verdicts[verdict]}</Chip>{' '}
                <span lang="en">{why}</span>
                <div className={styles.soft}>
                  {factors.map(({ name, points }) => `${factorName(name)} ${signed(points)}`).join(' · ')}
                </div>
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}
