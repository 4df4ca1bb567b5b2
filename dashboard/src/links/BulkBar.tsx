import { ActionIcon, Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { formatExact } from '../kernel/numbers.ts';
import { useCan } from '../session/permissions.ts';
import { t } from '../texts/index.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { IconArchive, IconChevronDown, IconClose, IconDownload, IconTag, IconTrash } from '../ui/icons.ts';
import { dialogOnDemand } from '../ui/onDemand.tsx';
import styles from './BulkBar.module.css';
import type { BulkField } from './BulkFieldDialog.tsx';
import type { BulkAction } from './bulkChanges.ts';
import type { LinkFilters } from './filters.ts';
import type { Selecting } from './selection.ts';
import { useBulk } from './useBulk.ts';
import { useExport } from './useExport.ts';
import type { LinkRowData } from './useLinkList.ts';

const BulkFieldDialog = dialogOnDemand(
  () => import('./BulkFieldDialog.tsx').then(({ BulkFieldDialog }) => BulkFieldDialog),
  ({ field }) => field !== null,
);
const BulkProgressDialog = dialogOnDemand(
  () => import('./BulkProgressDialog.tsx').then(({ BulkProgressDialog }) => BulkProgressDialog),
  ({ bulk }) => bulk.state !== null,
);

interface BulkBarProps {
  projectId: string;
  filters: LinkFilters;
  rows: readonly LinkRowData[];
  /** All that the filters find. */
  total: number | null;
  selecting: Selecting;
}

/** What can be done with the selected links, below the list while some are selected. */
export function BulkBar({ projectId, filters, rows, total, selecting }: BulkBarProps) {
  const { isAllowed } = useCan('links:write');
  const { selection } = selecting;
  const count = selection.kind === 'all' ? (total ?? rows.length) : selection.ids.size;
  const bulk = useBulk({ projectId, filters, rows, selecting });
  const { isExporting, exportLinks } = useExport(projectId, filters);
  const [field, setField] = useState<BulkField | null>(null);
  const [isDeleting, setIsDeleting] = useState(false);
  const run = (action: BulkAction) => {
    setField(null);
    setIsDeleting(false);
    bulk.run(action, count);
  };
  const hasMore = selection.kind === 'some' && total !== null && total > selection.ids.size;
  return (
    <>
      {count === 0 ? null : (
        <div className={styles.bar} role="region" aria-label={t.links.bulk.title}>
          <span role="status" className={styles.count}>
            {t.links.selected(formatExact(count), count)}
          </span>
          {hasMore ? (
            <Button className={styles.all} variant="subtle" size="compact-sm" onClick={selecting.selectAll}>
              {t.links.selectFound(formatExact(total))}
            </Button>
          ) : null}
          <div className={styles.actions}>
            {isAllowed ? (
              <>
                <Button variant="default" leftSection={<IconTag size={16} />} onClick={() => setField('addTags')}>
                  {t.links.bulk.addTags}
                </Button>
                <Button
                  variant="default"
                  leftSection={<IconArchive size={16} />}
                  onClick={() => run({ kind: 'set', set: { archived: true } })}
                >
                  {t.links.bulk.archive}
                </Button>
              </>
            ) : null}
            <Button
              variant="default"
              leftSection={<IconDownload size={16} />}
              loading={isExporting}
              onClick={() => void exportLinks(selection)}
            >
              {t.links.bulk.export}
            </Button>
            {isAllowed ? (
              <>
                <MoreMenu onField={setField} onRun={run} />
                <Button
                  color="red"
                  variant="light"
                  leftSection={<IconTrash size={16} />}
                  onClick={() => setIsDeleting(true)}
                >
                  {t.links.bulk.delete}
                </Button>
              </>
            ) : null}
            <ActionIcon
              className={styles.clear}
              variant="subtle"
              color="gray"
              size={36}
              aria-label={t.links.clearSelection}
              onClick={selecting.clear}
            >
              <IconClose size={18} />
            </ActionIcon>
          </div>
        </div>
      )}
      <BulkFieldDialog field={field} projectId={projectId} onClose={() => setField(null)} onApply={run} />
      <BulkProgressDialog bulk={bulk} />
      <ConfirmDialog
        isOpen={isDeleting}
        title={t.links.deleteTitle(count)}
        verb={t.links.deleteVerb(count)}
        count={count}
        onClose={() => setIsDeleting(false)}
        onConfirm={() => run({ kind: 'delete' })}
      >
        {t.links.deleteBody(count)}
      </ConfirmDialog>
    </>
  );
}

interface MoreMenuProps {
  onField: (field: BulkField) => void;
  onRun: (action: BulkAction) => void;
}

function MoreMenu({ onField, onRun }: MoreMenuProps) {
  return (
    <Menu position="top-end" width={200}>
      <Menu.Target>
        <Button variant="default" rightSection={<IconChevronDown size={14} aria-hidden />}>
          {t.common.more}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => onField('removeTags')}>{t.links.bulk.removeTags}</Menu.Item>
        <Menu.Item onClick={() => onRun({ kind: 'set', set: { archived: false } })}>{t.links.bulk.unarchive}</Menu.Item>
        <Menu.Item onClick={() => onField('domain')}>{t.links.bulk.domain}</Menu.Item>
        <Menu.Item onClick={() => onField('expiry')}>{t.links.bulk.expiry}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
