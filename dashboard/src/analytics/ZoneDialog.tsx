import { Modal, Select } from '@mantine/core';
import { writePreference } from '../kernel/storage.ts';
import { t } from '../texts/index.ts';
import { type AnalyticsSearch, zoneOf } from './query.ts';

interface ZoneDialogProps {
  isOpen: boolean;
  search: AnalyticsSearch;
  onClose: () => void;
  onSearch: (changed: AnalyticsSearch) => void;
}

/** The zone whose days and hours the figures have. It is kept for the next visit. */
export function ZoneDialog({ isOpen, search, onClose, onSearch }: ZoneDialogProps) {
  const choose = (zone: string | null) => {
    if (zone === null) return;
    writePreference('timezone', zone);
    onClose();
    onSearch({ timezone: zone });
  };
  const zone = zoneOf(search);
  return (
    <Modal opened={isOpen} onClose={onClose} title={t.analytics.zone}>
      <Select
        aria-label={t.analytics.zone}
        searchable
        limit={50}
        // A zone may have a second name, such as Asia/Kolkata, which the browser does not list.
        data={[...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
        value={zone}
        onChange={choose}
        data-autofocus
      />
    </Modal>
  );
}
