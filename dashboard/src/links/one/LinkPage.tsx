import { ActionIcon, Button } from '@mantine/core';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { type ComponentType, useEffect, useState } from 'react';
import { withoutScheme } from '../../kernel/addresses.ts';
import { codeOf } from '../../kernel/GraphqlError.ts';
import type { ResultOf } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import { useItsPlace } from '../../session/useItsPlace.ts';
import { t, withTexts } from '../../texts/index.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { IconEdit, IconMore, IconOpen, IconQr } from '../../ui/icons.ts';
import { ManagedBy } from '../../ui/ManagedBy.tsx';
import { dialogOnDemand, onDemand } from '../../ui/onDemand.tsx';
import { Page } from '../../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../../ui/states.tsx';
import { TabLinks } from '../../ui/TabLinks.tsx';
import { DeleteLinkDialog } from '../DeleteLinkDialog.tsx';
import { LinkMenu } from '../LinkMenu.tsx';
import { DeletedLink } from './DeletedLink.tsx';
import { LinkBanner } from './LinkBanner.tsx';
import { LinkFacts } from './LinkFacts.tsx';
import styles from './LinkPage.module.css';
import { LiveDot } from './LiveDot.tsx';
import { LINK } from './operations.ts';

const QrDialog = dialogOnDemand(
  () => import('../QrDialog.tsx').then(({ QrDialog }) => QrDialog),
  ({ link }) => link !== null,
);

export type OneLink = ResultOf<typeof LINK>['link'];

const tab = (load: () => Promise<ComponentType<{ link: OneLink }>>) => onDemand(load, { fallback: <LoadingRows /> });

const loadAnalytics = withTexts('analytics', () => import('./AnalyticsTab.tsx'));
const loadRouting = withTexts('linkParts', () => import('./RoutingTab.tsx'));
const loadHistory = withTexts('audit', () => import('./HistoryTab.tsx'));

/** The parts of the page, in their order. Each is loaded and asks for its own data when it is opened. */
const TABS = {
  analytics: tab(() => loadAnalytics().then(({ AnalyticsTab }) => AnalyticsTab)),
  routing: tab(() => loadRouting().then(({ RoutingTab }) => RoutingTab)),
  clicks: tab(() => import('./ClicksTab.tsx').then(({ ClicksTab }) => ClicksTab)),
  installs: tab(() => import('./InstallsTab.tsx').then(({ InstallsTab }) => InstallsTab)),
  events: tab(() => import('./EventsTab.tsx').then(({ EventsTab }) => EventsTab)),
  history: tab(() => loadHistory().then(({ HistoryTab }) => HistoryTab)),
};
type Tab = keyof typeof TABS;

const POLL_MS = 60_000;

export function LinkPage() {
  const { linkId } = useParams({ from: '/shell/links/$linkId' });
  const { tab = 'analytics' } = useSearch({ from: '/shell/links/$linkId' });
  const { data, error, refetch } = useAsk({
    about: 'links',
    document: LINK,
    variables: { id: linkId },
    keepsEarlier: false,
    pollMs: POLL_MS,
  });
  const isInPlace = useItsPlace(data?.link);
  const current = tab in TABS ? (tab as Tab) : 'analytics';
  const Shown = TABS[current];
  useEffect(Shown.preload, [Shown]);
  if (!data || !isInPlace) {
    return (
      <Page title={t.links.title} back="/links">
        {codeOf(error) === 'not_found' ? (
          <DeletedLink linkId={linkId} error={error} />
        ) : error ? (
          <ErrorState error={error} retry={refetch} />
        ) : (
          <LoadingRows />
        )}
      </Page>
    );
  }
  const { link } = data;
  const shown = withoutScheme(link.shortUrl);
  return (
    <Page
      title={link.title ?? shown}
      back="/links"
      heading={shown}
      about={<About link={link} onCounted={refetch} />}
      actions={<Actions link={link} />}
    >
      <LinkBanner link={link} />
      <ManagedBy managedBy={link.managedBy} />
      <LinkFacts link={link} />
      <TabLinks
        label={t.link.tabsLabel}
        current={current}
        tabs={(Object.keys(TABS) as Tab[]).map((name) => ({
          tab: name,
          label: t.link.tabs[name],
          to: `/links/${link.id}`,
          search: name === 'analytics' ? {} : { tab: name },
        }))}
      />
      <Shown link={link} />
    </Page>
  );
}

function About({ link, onCounted }: { link: OneLink; onCounted: () => void }) {
  return (
    <>
      {link.title ? <span className={styles.name}>{link.title}</span> : null}
      <LiveDot link={link} onCounted={onCounted} />
    </>
  );
}

function Actions({ link }: { link: OneLink }) {
  const navigate = useNavigate();
  const [menu, setMenu] = useState<{ link: OneLink; anchor: HTMLElement } | null>(null);
  const [qr, setQr] = useState<OneLink | null>(null);
  const [deleting, setDeleting] = useState<OneLink | null>(null);
  return (
    <>
      <CopyButton text={link.shortUrl} what={t.links.shortUrl} label={t.common.copy} />
      <Button variant="default" leftSection={<IconQr size={16} />} onClick={() => setQr(link)}>
        {t.links.menu.qr}
      </Button>
      <Button
        component="a"
        href={link.shortUrl}
        target="_blank"
        rel="noopener noreferrer"
        variant="default"
        leftSection={<IconOpen size={16} />}
      >
        {t.links.menu.follow}
      </Button>
      <GuardedButton
        scope="links:write"
        leftSection={<IconEdit size={16} />}
        onClick={() => void navigate({ to: '/links/$linkId/edit', params: { linkId: link.id } })}
      >
        {t.common.edit}
      </GuardedButton>
      <ActionIcon
        variant="default"
        size={36}
        aria-haspopup="menu"
        aria-label={t.links.row.menu(link.shortUrl)}
        onClick={(event) => setMenu({ link, anchor: event.currentTarget })}
      >
        <IconMore size={18} />
      </ActionIcon>
      <LinkMenu opened={menu} onClose={() => setMenu(null)} onQr={setQr} onDelete={setDeleting} />
      <QrDialog link={qr} onClose={() => setQr(null)} />
      <DeleteLinkDialog
        link={deleting}
        onClose={() => setDeleting(null)}
        onDeleted={() => void navigate({ to: '/links', replace: true })}
      />
    </>
  );
}
