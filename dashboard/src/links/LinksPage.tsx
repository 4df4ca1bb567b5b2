import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { formatExact } from '../kernel/numbers.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconDownload, IconFlag, IconImport, IconPlus } from '../ui/icons.ts';
import { Card, Page } from '../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../ui/states.tsx';
import { BulkBar } from './BulkBar.tsx';
import { exportAddress } from './exportAddress.ts';
import { FilterBar } from './FilterBar.tsx';
import { isFiltered, type LinkFilters, NO_FILTERS } from './filters.ts';
import { LinkList } from './LinkList.tsx';
import styles from './LinksPage.module.css';
import { useSelection } from './selection.ts';
import { useLinkFacets, useLinkList } from './useLinkList.ts';

/** The links of the project: found, selected, changed. */
export function LinksPage() {
  const projectId = useProjectId();
  const filters: LinkFilters = useSearch({ from: '/shell/links' });
  const navigate = useNavigate({ from: '/links' });
  const list = useLinkList(projectId, filters);
  const facets = useLinkFacets(projectId, filters);
  const selecting = useSelection(list.rows.map(({ id }) => id));
  const isNarrow = useMediaQuery('(max-width: 47.99em)') ?? false;
  const setFilters = (changed: LinkFilters) => {
    selecting.clear();
    void navigate({ search: (earlier) => ({ ...earlier, ...changed }), replace: true });
  };
  const isEmpty = list.isSuccess && list.rows.length === 0;
  const isFirst = isEmpty && !isFiltered(filters);
  return (
    <Page
      title={t.links.title}
      about={
        <span role="status">{facets === null ? ' ' : t.links.found(formatExact(facets.count), facets.count)}</span>
      }
      actions={
        <>
          <GuardedButton
            scope="links:write"
            variant="default"
            leftSection={<IconImport size={16} />}
            onClick={() => void navigate({ to: '/imports/new' })}
          >
            {t.links.import}
          </GuardedButton>
          <Button
            component="a"
            href={exportAddress(projectId, filters)}
            download
            variant="default"
            leftSection={<IconDownload size={16} />}
            title={t.links.exportLimit}
          >
            {t.links.export}
          </Button>
        </>
      }
    >
      {isFirst ? (
        <Card>
          <FirstLink />
        </Card>
      ) : (
        <>
          <BlockedLine facets={facets} filters={filters} setFilters={setFilters} />
          <Card isFlush>
            <FilterBar filters={filters} facets={facets} setFilters={setFilters} projectId={projectId} />
            {list.isError && list.rows.length === 0 ? <ErrorState error={list.error} retry={list.refetch} /> : null}
            {list.isPending ? (
              <div className={styles.padded}>
                <LoadingRows rows={8} height={isNarrow ? 68 : 44} />
              </div>
            ) : null}
            {isEmpty ? (
              <EmptyState
                title={t.links.nothingFound}
                actions={
                  <Button variant="default" onClick={() => setFilters(NO_FILTERS)}>
                    {t.links.clearFilters}
                  </Button>
                }
              />
            ) : null}
            {list.rows.length > 0 ? (
              <LinkList
                projectId={projectId}
                filters={filters}
                setFilters={setFilters}
                list={list}
                total={facets?.count ?? null}
                selecting={selecting}
                isNarrow={isNarrow}
              />
            ) : null}
          </Card>
          <BulkBar
            projectId={projectId}
            filters={filters}
            rows={list.rows}
            total={facets?.count ?? null}
            selecting={selecting}
          />
        </>
      )}
    </Page>
  );
}

function FirstLink() {
  return (
    <EmptyState
      title={t.links.empty}
      actions={
        <>
          <Button leftSection={<IconPlus size={16} />} renderRoot={(props) => <Link to="/links/new" {...props} />}>
            {t.links.emptyAction}
          </Button>
          <Button variant="default" renderRoot={(props) => <Link to="/imports/new" {...props} />}>
            {t.links.emptyImport}
          </Button>
        </>
      }
    />
  );
}

interface BlockedLineProps {
  facets: ReturnType<typeof useLinkFacets>;
  filters: LinkFilters;
  setFilters: (changed: LinkFilters) => void;
}

/** Blocked links lead nowhere: whoever owns them should know at once. */
function BlockedLine({ facets, filters, setFilters }: BlockedLineProps) {
  const blocked = facets?.statuses.find(({ key }) => key === 'flagged')?.count ?? 0;
  if (blocked === 0 || filters.status === 'flagged') return null;
  return (
    <div className={styles.blocked} role="alert">
      <IconFlag size={16} aria-hidden />
      <span>{t.links.blocked(formatExact(blocked), blocked)}</span>
      <Button
        size="compact-sm"
        variant="light"
        color="red"
        onClick={() => setFilters({ ...NO_FILTERS, status: 'flagged' })}
      >
        {t.links.showBlocked}
      </Button>
    </div>
  );
}
