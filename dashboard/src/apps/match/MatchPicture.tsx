import { Alert, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatExact } from '../../kernel/numbers.ts';
import { formatExactTime } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import { type Fact, Facts } from '../../ui/Facts.tsx';
import { IconHistory } from '../../ui/icons.ts';
import { Card } from '../../ui/Page.tsx';
import { RecordTable } from '../../ui/RecordTable.tsx';
import { Chip } from '../../ui/StateChip.tsx';
import { MatchChip } from '../installCells.tsx';
import { Candidates } from './Candidates.tsx';
import { bestOf, type Candidate, LOADED, type MatchReport } from './report.ts';
import { ScoreFigure } from './ScoreFigure.tsx';

interface MatchPictureProps {
  report: MatchReport;
  title: string;
  /** How long before the opening a click was, in milliseconds. */
  ageOf: (candidate: Candidate) => number;
  /** What a compared click is called, as a link where there is one. */
  nameOf: (candidate: Candidate) => ReactNode;
}

/** A match explained: the verdict, the score against the threshold, what was compared, and why the others did not match. */
export function MatchPicture({ report, title, ageOf, nameOf }: MatchPictureProps) {
  const { match } = t.apps;
  const best = bestOf(report);
  const { margin, requiredMargin } = report;
  return (
    <>
      <Card title={title}>
        <Stack>
          {report.matchRevisedAt ? (
            <Alert
              color="yellow"
              variant="light"
              icon={<IconHistory size={18} />}
              title={match.revised(formatExactTime(report.matchRevisedAt))}
            >
              {match.revisedBody}
            </Alert>
          ) : null}
          <div role="status">
            <MatchChip match={report.match} /> <span lang="en">{report.why}</span>
          </div>
          {best ? <ScoreFigure candidate={best} threshold={report.threshold} /> : null}
          {best && margin !== null ? (
            <div>{(margin < requiredMargin ? match.marginMissed : match.margin)(margin, requiredMargin)}</div>
          ) : null}
          <Facts facts={[addressFact(report)]} />
          {report.device ? (
            <div>
              <b>{match.device}</b>
              <Facts facts={deviceFacts(report.device)} />
            </div>
          ) : null}
        </Stack>
      </Card>
      {report.tokens.length > 0 ? <Tokens tokens={report.tokens} /> : null}
      {report.candidates.length > 0 ? (
        <Candidates candidates={report.candidates} ageOf={ageOf} nameOf={nameOf} />
      ) : null}
    </>
  );
}

function addressFact({ address }: MatchReport): Fact {
  const { match } = t.apps;
  return {
    name: match.address,
    isWide: true,
    value: address ? (
      <>
        <Chip tone={address.shared ? 'warn' : 'soft'}>{address.shared ? match.shared : match.ownAddress}</Chip>{' '}
        <span lang="en">{address.why}</span>{' '}
        {address.visitors === null
          ? match.manyVisitors
          : address.visitors > 0
            ? match.visitors(address.visitors)
            : null}
      </>
    ) : null,
  };
}

/** What the app said of its device; null is what it did not say. */
function deviceFacts(device: NonNullable<MatchReport['device']>): Fact[] {
  const { deviceFacts: names } = t.apps.match;
  return Object.entries(names).map(([key, name]) => ({ name, value: factText(key, device[key]) }));
}

function factText(key: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (key === 'platform') return t.apps.setup.platforms[value as 'ios'] ?? String(value);
  if (typeof value !== 'object') return String(value);
  const { width, height } = value as { width?: number | null; height?: number | null };
  return width && height ? t.apps.match.screen(formatExact(width), formatExact(height)) : null;
}

function Tokens({ tokens }: Pick<MatchReport, 'tokens'>) {
  const { match } = t.apps;
  return (
    <Card title={match.tokens} isFlush>
      <RecordTable
        label={match.tokens}
        rows={tokens}
        keyOf={({ source, why }) => `${source} ${why}`}
        query={LOADED}
        empty={null}
        columns={[
          { title: match.token, cell: ({ source }) => match.sources[source] },
          {
            title: match.result,
            cell: ({ accepted }) => (
              <Chip tone={accepted ? 'good' : 'alarm'}>{accepted ? match.accepted : match.refused}</Chip>
            ),
          },
          { title: match.why, cell: ({ why }) => <span lang="en">{why}</span> },
        ]}
      />
    </Card>
  );
}
