import { Button } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import { useShortcuts } from '../kernel/shortcuts.ts';
import { useCan } from '../session/permissions.ts';
import { t } from '../texts/index.ts';
import { dialogOnDemand } from '../ui/onDemand.tsx';
import { DeleteLinkDialog } from './DeleteLinkDialog.tsx';
import type { LinkFilters } from './filters.ts';
import { copyShortUrl, LinkMenu } from './LinkMenu.tsx';
import styles from './LinkTable.module.css';
import { LinkTable, type RowAction } from './LinkTable.tsx';
import { useListLook } from './listLook.ts';
import type { Selecting } from './selection.ts';
import { useArchive } from './useArchive.ts';
import type { LinkRowData, useLinkList } from './useLinkList.ts';

const QrDialog = dialogOnDemand(
  () => import('./QrDialog.tsx').then(({ QrDialog }) => QrDialog),
  ({ link }) => link !== null,
);

interface LinkListProps {
  projectId: string;
  filters: LinkFilters;
  setFilters: (changed: LinkFilters) => void;
  list: ReturnType<typeof useLinkList>;
  total: number | null;
  selecting: Selecting;
  isNarrow: boolean;
}

/** The header of the page and the heads of the columns. */
const STICKY_PX = 92;
const ROW_PX = { comfortable: 56, compact: 40, card: 80 };

/** The table with what can be done to its rows: by mouse, by the one menu for all rows, and by keys. */
export function LinkList({ projectId, filters, setFilters, list, total, selecting, isNarrow }: LinkListProps) {
  const router = useRouter();
  const { rows, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list;
  const [menu, setMenu] = useState<{ link: LinkRowData; anchor: HTMLElement } | null>(null);
  const [qr, setQr] = useState<LinkRowData | null>(null);
  const [deleting, setDeleting] = useState<LinkRowData | null>(null);
  const look = useListLook();
  const hrefOf = useHrefs(projectId);
  const onAction = (action: RowAction, index: number, anchor: HTMLElement, isRange: boolean) => {
    const link = rows[index];
    if (!link) return;
    if (action === 'select') selecting.toggle(index, isRange);
    if (action === 'copy') void copyShortUrl(link);
    if (action === 'menu') setMenu({ link, anchor });
    if (action === 'open') void router.navigate({ to: '/links/$linkId', params: { linkId: link.id } });
  };
  const onEnd = useCallback(() => {
    // After a failure it waits to be told to try again.
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  const focus = useListKeys({ rows, selecting, onQr: setQr, onDelete: setDeleting });
  return (
    <>
      <LinkTable
        projectId={projectId}
        rows={rows}
        total={total}
        rowHeight={isNarrow ? ROW_PX.card : look.isCompact ? ROW_PX.compact : ROW_PX.comfortable}
        look={look}
        filters={filters}
        setFilters={setFilters}
        selecting={selecting}
        hrefOf={hrefOf}
        onAction={onAction}
        onEnd={onEnd}
        isDimmed={list.isPlaceholderData}
        focus={focus}
      />
      {isFetchNextPageError ? (
        <div className={styles.end} role="alert">
          {t.links.moreFailed}
          <Button size="compact-sm" variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.common.tryAgain}
          </Button>
        </div>
      ) : isFetchingNextPage ? (
        <div className={styles.end} role="status">
          {t.links.loadingMore}
        </div>
      ) : null}
      <LinkMenu opened={menu} onClose={() => setMenu(null)} onQr={setQr} onDelete={setDeleting} />
      <QrDialog link={qr} onClose={() => setQr(null)} />
      <DeleteLinkDialog link={deleting} onClose={() => setDeleting(null)} />
    </>
  );
}

/** Addresses of links: the router makes one, and the others differ by the id alone. It is asked for each row in view. */
function useHrefs(projectId: string): (link: LinkRowData) => string {
  const router = useRouter();
  return useMemo(() => {
    const search = { project: projectId };
    const { href } = router.buildLocation({ to: '/links/$linkId', params: { linkId: ANY_ID }, search });
    return ({ id }) => href.replace(ANY_ID, id);
  }, [router, projectId]);
}

const ANY_ID = 'any-link';

interface ListKeys {
  rows: readonly LinkRowData[];
  selecting: Selecting;
  onQr: (link: LinkRowData) => void;
  onDelete: (link: LinkRowData) => void;
}

/** Keys for the row that has the focus. Gives the row that `j` and `k` lead to. */
function useListKeys({ rows, selecting, onQr, onDelete }: ListKeys): { index: number } | null {
  const router = useRouter();
  const archive = useArchive();
  const { isAllowed } = useCan('links:write');
  const [focus, setFocus] = useState<{ index: number } | null>(null);
  const move = (by: number) => {
    const at = focusedIndex();
    const index = at === null ? firstVisibleIndex() : Math.min(Math.max(at + by, 0), rows.length - 1);
    setFocus({ index });
  };
  const withRow = (act: (link: LinkRowData, index: number) => unknown) => () => {
    const index = focusedIndex();
    const link = index === null ? undefined : rows[index];
    if (link && index !== null) act(link, index);
  };
  const ifAllowed = (act: (link: LinkRowData) => unknown) => withRow((link) => (isAllowed ? act(link) : undefined));
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    x: withRow((_, index) => selecting.toggle(index, false)),
    X: withRow((_, index) => selecting.toggle(index, true)),
    e: ifAllowed(({ id }) => router.navigate({ to: '/links/$linkId/edit', params: { linkId: id } })),
    y: withRow(copyShortUrl),
    q: withRow(onQr),
    a: ifAllowed((link) => archive(link, link.status !== 'archived')),
    Delete: ifAllowed(onDelete),
    Escape: selecting.clear,
  });
  return focus;
}

function focusedIndex(): number | null {
  const row = document.activeElement?.closest('[role="row"]')?.querySelector<HTMLElement>('[data-index]');
  return row?.dataset.index === undefined ? null : Number(row.dataset.index);
}

/** The first row below what is sticky, where `j` begins when no row has the focus. */
function firstVisibleIndex(): number {
  const links = document.querySelectorAll<HTMLElement>('[role="row"] a[data-index]');
  const visible = [...links].find((link) => link.getBoundingClientRect().top >= STICKY_PX);
  return Number(visible?.dataset.index ?? 0);
}
