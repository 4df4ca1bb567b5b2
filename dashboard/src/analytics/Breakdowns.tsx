import { Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AnalyticsDimension } from '../kernel/addresses.ts';
import { useAsk } from '../kernel/queries.ts';
import { useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { BarList } from '../ui/charts/BarList.tsx';
import { MapSkeleton } from '../ui/charts/MapSkeleton.tsx';
import { IconLink } from '../ui/icons.ts';
import { dialogOnDemand, onDemand } from '../ui/onDemand.tsx';
import { Card } from '../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import styles from './analytics.module.css';
import { barsOf, type Rows } from './bars.ts';
import { rememberLabels } from './names.ts';
import { BREAKDOWNS } from './operations.ts';
import { type AnalyticsSearch, type commonVariables, withValue } from './query.ts';
import { keyOf } from './values.ts';

const AllRows = dialogOnDemand(
  () => import('./AllRows.tsx').then(({ AllRows }) => AllRows),
  ({ isOpen }) => isOpen,
);
const WorldMap = onDemand(() => import('../ui/charts/WorldMap.tsx').then(({ WorldMap }) => WorldMap), {
  fallback: <MapSkeleton />,
});

type CardName = keyof typeof t.analytics.cards;

/** What each card shows one of, in the order of the page. */
const CARDS: Record<CardName, readonly AnalyticsDimension[]> = {
  places: ['country', 'region', 'city'],
  links: ['link', 'tag', 'domain'],
  sources: ['referrer_host', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  devices: ['platform', 'device', 'browser', 'language'],
  targets: ['destination', 'rule'],
  traffic: ['traffic_class'],
  app: ['event_name', 'app_version', 'match_method'],
};

const ROWS = 10;
/** The map needs more countries than the list below it has rows; as many as one operation may cost. */
const FETCHED = 50;

type Common = ReturnType<typeof commonVariables>;

/** One operation for all cards, because the server reads the clicks once for all. */
export function useBreakdowns(variables: Common, isOfLink: boolean) {
  const cards = useCards(variables, isOfLink);
  const query = useAsk({
    about: 'analytics',
    document: BREAKDOWNS,
    variables: { ...variables, groupBys: cards.flatMap(([, dimensions]) => dimensions), limit: FETCHED },
  });
  rememberLabels(query.data?.analyticsBreakdowns.flatMap(({ data }) => data) ?? []);
  return { ...query, cards };
}

/** The cards that have something to show: only some services know cities, and only apps have versions. */
function useCards({ event }: Common, isOfLink: boolean): (readonly [CardName, AnalyticsDimension[]])[] {
  const { service } = useSession();
  const isOfApps = event !== 'click';
  const isShown = (name: CardName) => !(isOfLink && name === 'links') && (name === 'traffic' ? !isOfApps : true);
  const hasDimension = (dimension: AnalyticsDimension) => {
    if (dimension === 'region' || dimension === 'city') return service.knowsCities;
    if (dimension === 'event_name') return event === 'app_event';
    if (dimension === 'app_version') return isOfApps;
    if (dimension === 'match_method') return event === 'install' || event === 'open';
    return !(dimension === 'browser' && isOfApps);
  };
  return (Object.keys(CARDS) as CardName[])
    .filter(isShown)
    .map((name) => [name, CARDS[name].filter(hasDimension)] as const)
    .filter(([, dimensions]) => dimensions.length > 0);
}

interface BreakdownsProps {
  query: ReturnType<typeof useBreakdowns>;
  variables: Common;
  search: AnalyticsSearch;
  onSearch: (changed: AnalyticsSearch) => void;
}

/** Everything that the figures consist of. */
export function Breakdowns({ query, variables, search, onSearch }: BreakdownsProps) {
  const { data, error, refetch, isPlaceholderData, cards } = query;
  if (!data) {
    if (error) return <ErrorState error={error} retry={refetch} />;
    return (
      <div className={styles.cards} aria-busy="true">
        {cards.map(([name]) => (
          <Card key={name} title={t.analytics.cards[name]}>
            <LoadingRows rows={name === 'places' ? 16 : 8} height={24} />
          </Card>
        ))}
      </div>
    );
  }
  const answers = new Map(data.analyticsBreakdowns.map((answer) => [answer.groupBy as AnalyticsDimension, answer]));
  return (
    <div className={styles.cards} data-dimmed={isPlaceholderData || undefined} aria-busy={isPlaceholderData}>
      {cards.map(([name, dimensions]) => (
        <BreakdownCard
          key={`${name} ${variables.event}`}
          name={name}
          dimensions={dimensions}
          answers={answers}
          variables={variables}
          onFilter={(dimension, key, isExcluding) => onSearch(withValue(search, dimension, key, isExcluding))}
        />
      ))}
    </div>
  );
}

interface BreakdownCardProps {
  name: CardName;
  dimensions: readonly AnalyticsDimension[];
  answers: ReadonlyMap<AnalyticsDimension, Rows>;
  variables: Common;
  onFilter: (dimension: AnalyticsDimension, key: string, isExcluding: boolean) => void;
}

function BreakdownCard({ name, dimensions, answers, variables, onFilter }: BreakdownCardProps) {
  const [chosen, setChosen] = useState(dimensions[0] as AnalyticsDimension);
  const [isAll, setIsAll] = useState(false);
  const answer = answers.get(chosen);
  const title = t.analytics.cards[name];
  const filter = (key: string, isExcluding: boolean) => {
    setIsAll(false);
    onFilter(chosen, key, isExcluding);
  };
  return (
    <Card
      title={title}
      actions={<DimensionTabs label={t.analytics.group(title)} {...{ dimensions, chosen, setChosen }} />}
    >
      {answer ? null : <LoadingRows rows={8} height={24} />}
      {answer?.data.length === 0 ? <p className={styles.soft}>{t.analytics.empty}</p> : null}
      {answer && answer.data.length > 0 ? (
        <>
          {chosen === 'country' ? <WorldMap counts={countsOf(answer)} onFilter={filter} /> : null}
          {name === 'traffic' ? <p className={styles.soft}>{t.analytics.classesAbout}</p> : null}
          <BarList
            bars={barsOf(chosen, topOf(answer))}
            total={answer.total.count}
            onFilter={filter}
            menuItems={chosen === 'link' ? (link) => (keyOf(link) ? <LinkItem link={link} /> : null) : undefined}
          />
          <button type="button" className={styles.all} onClick={() => setIsAll(true)}>
            {t.analytics.showAll(t.analytics.dimensions[chosen])}
          </button>
        </>
      ) : null}
      <AllRows
        isOpen={isAll}
        dimension={chosen}
        variables={variables}
        onClose={() => setIsAll(false)}
        onFilter={filter}
      />
    </Card>
  );
}

/** The first rows, and the sum of all others. */
function topOf({ total, others, data }: Rows): Rows {
  const rest = data.slice(ROWS).reduce((sum, { count }) => sum + count, others?.count ?? 0);
  return { total, data: data.slice(0, ROWS), others: rest > 0 ? { count: rest } : null };
}

function countsOf({ data }: Rows): Map<string, number> {
  return new Map(data.flatMap(({ key, count }) => (key === null ? [] : [[key, count] as const])));
}

function LinkItem({ link }: { link: string }) {
  return (
    <Menu.Item
      leftSection={<IconLink size={16} />}
      renderRoot={(props) => <Link to="/links/$linkId" params={{ linkId: link }} {...props} />}
    >
      {t.analytics.row.openLink}
    </Menu.Item>
  );
}

interface DimensionTabsProps {
  label: string;
  dimensions: readonly AnalyticsDimension[];
  chosen: AnalyticsDimension;
  setChosen: (dimension: AnalyticsDimension) => void;
}

function DimensionTabs({ label, dimensions, chosen, setChosen }: DimensionTabsProps) {
  if (dimensions.length < 2) return null;
  return (
    <fieldset className={styles.tabs} aria-label={label}>
      {dimensions.map((dimension) => (
        <button key={dimension} type="button" aria-pressed={dimension === chosen} onClick={() => setChosen(dimension)}>
          {t.analytics.tabs[dimension as keyof typeof t.analytics.tabs] ?? t.analytics.dimensions[dimension]}
        </button>
      ))}
    </fieldset>
  );
}
