import { Button, Group, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AnalyticsDimension } from '../kernel/addresses.ts';
import { csvOf, downloadText } from '../kernel/csv.ts';
import { useAsk } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { BarList } from '../ui/charts/BarList.tsx';
import { SideDialog } from '../ui/Dialog.tsx';
import { IconDownload, IconSearch } from '../ui/icons.ts';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import styles from './analytics.module.css';
import { barsOf, foundText, tableOf } from './bars.ts';
import { VALUES } from './operations.ts';
import type { commonVariables } from './query.ts';

/** As many as the API gives at once. */
const MOST = 1000;

interface AllRowsProps {
  isOpen: boolean;
  dimension: AnalyticsDimension;
  variables: ReturnType<typeof commonVariables>;
  onClose: () => void;
  onFilter: (key: string, isExcluding: boolean) => void;
}

/** A whole card: searched, with shares, and as CSV. */
export function AllRows({ isOpen, dimension, variables, onClose, onFilter }: AllRowsProps) {
  return (
    <SideDialog
      opened={isOpen}
      onClose={onClose}
      position="right"
      title={t.analytics.all(t.analytics.dimensions[dimension])}
    >
      {isOpen ? <Rows dimension={dimension} variables={variables} onFilter={onFilter} /> : null}
    </SideDialog>
  );
}

function Rows({ dimension, variables, onFilter }: Pick<AllRowsProps, 'dimension' | 'variables' | 'onFilter'>) {
  const [search, setSearch] = useState('');
  const { data, error, refetch } = useAsk({
    about: 'analytics',
    document: VALUES,
    variables: { ...variables, groupBy: dimension, limit: MOST },
    keepsEarlier: false,
  });
  const answer = data?.analytics;
  if (!answer) return error ? <ErrorState error={error} retry={refetch} /> : <LoadingRows rows={10} height={28} />;
  const bars = barsOf(dimension, answer);
  const found = bars.filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <Stack gap="sm">
      <TextInput
        type="search"
        aria-label={t.analytics.search}
        placeholder={t.analytics.search}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      <Group justify="space-between">
        <span role="status" className={styles.soft}>
          {foundText(found.length, bars.length)}
        </span>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          onClick={() => downloadText(`${dimension}.csv`, csvOf(tableOf(dimension, answer)))}
        >
          {t.analytics.csv}
        </Button>
      </Group>
      {found.length === 0 ? <p className={styles.soft}>{t.analytics.nothingFound}</p> : null}
      <BarList bars={found} total={answer.total.count} onFilter={onFilter} hasShares />
    </Stack>
  );
}
