import { writePreference } from '../kernel/storage.ts';
import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ZoneSelect } from '../ui/ZoneSelect.tsx';
import { type AnalyticsSearch, zoneOf } from './query.ts';

interface ZoneDialogProps {
  isOpen: boolean;
  search: AnalyticsSearch;
  onClose: () => void;
  onSearch: (changed: AnalyticsSearch) => void;
}

/** The zone whose days and hours the figures have. It is kept for the next visit. */
export function ZoneDialog({ isOpen, search, onClose, onSearch }: ZoneDialogProps) {
  const choose = (zone: string) => {
    writePreference('timezone', zone);
    onClose();
    onSearch({ timezone: zone });
  };
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t.analytics.zone}>
      <ZoneSelect aria-label={t.analytics.zone} value={zoneOf(search)} onChange={choose} data-autofocus />
    </Dialog>
  );
}
