import { useState } from 'react';
import { t } from '../texts/index.ts';
import { IconGlobe } from '../ui/icons.ts';
import { dialogOnDemand } from '../ui/onDemand.tsx';
import styles from './analytics.module.css';
import { type AnalyticsSearch, zoneOf } from './query.ts';
import { RangeMenu } from './RangeMenu.tsx';

const isDialogOpen = ({ isOpen }: { isOpen: boolean }) => isOpen;
const OwnRangeDialog = dialogOnDemand(
  () => import('./OwnRangeDialog.tsx').then(({ OwnRangeDialog }) => OwnRangeDialog),
  isDialogOpen,
);
const ZoneDialog = dialogOnDemand(() => import('./ZoneDialog.tsx').then(({ ZoneDialog }) => ZoneDialog), isDialogOpen);

interface ChoiceProps {
  search: AnalyticsSearch;
  onSearch: (changed: AnalyticsSearch) => void;
}

/** The range of the figures, with the dialog for one of one's own. `dates`: what it covers; null: not known yet. */
export function RangeChoice({ search, dates, onSearch }: ChoiceProps & { dates: string | null }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <RangeMenu search={search} dates={dates} onSearch={onSearch} onOwn={() => setIsOpen(true)} />
      <OwnRangeDialog isOpen={isOpen} search={search} onClose={() => setIsOpen(false)} onSearch={onSearch} />
    </>
  );
}

/** The time zone of the figures, which says when their days begin. */
export function ZoneChoice({ search, onSearch }: ChoiceProps) {
  const [isOpen, setIsOpen] = useState(false);
  const zone = zoneOf(search);
  return (
    <>
      <button
        type="button"
        className={styles.zone}
        onClick={() => setIsOpen(true)}
        aria-label={t.analytics.changeZone(zone)}
      >
        <IconGlobe size={14} aria-hidden /> {zone}
      </button>
      <ZoneDialog isOpen={isOpen} search={search} onClose={() => setIsOpen(false)} onSearch={onSearch} />
    </>
  );
}
