import { SegmentedControl, Tabs } from '@mantine/core';
import { useState } from 'react';
import { t } from '../../texts/index.ts';
import { onDemand } from '../../ui/onDemand.tsx';
import { Card as Frame } from '../../ui/Page.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import { TraceView } from '../trace/TraceView.tsx';
import { VisitorChooser } from '../trace/VisitorChooser.tsx';
import { type Draft, hasCard } from './draft.ts';
import styles from './PreviewPanel.module.css';
import { type Card, NETWORKS, type Network, SocialCard } from './SocialCard.tsx';
import type { DraftCheck, Visitor } from './useDraftCheck.ts';
import { type PageMetadata, pictureOf, usePageMetadata } from './usePageMetadata.ts';

const QrPicture = onDemand(() => import('../QrDesigner.tsx').then(({ QrPicture }) => QrPicture), {
  fallback: <LoadingRows rows={3} />,
});

interface PreviewPanelProps {
  draft: Draft;
  check: DraftCheck | null;
  /** What the destination says about itself. */
  page: PageMetadata | null;
  visitor: Visitor;
  setVisitor: (visitor: Visitor) => void;
}

/** What becomes of the link while it is written: its code, its card, and where it sends whom. */
export function PreviewPanel({ draft, check, page, visitor, setVisitor }: PreviewPanelProps) {
  const { preview } = t.linkParts;
  return (
    <Frame isFlush>
      <Tabs defaultValue="route" keepMounted={false}>
        <Tabs.List grow>
          <Tabs.Tab value="route">{preview.route}</Tabs.Tab>
          <Tabs.Tab value="qr">{preview.qr}</Tabs.Tab>
          <Tabs.Tab value="card">{preview.card}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="route" className={styles.panel}>
          <VisitorChooser visitor={visitor ?? {}} onChange={setVisitor} />
          {check?.trace ? (
            <TraceView trace={check.trace} />
          ) : (
            <p className={styles.hint}>{draft.destination.trim() === '' ? preview.noTrace : preview.unfinished}</p>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="qr" className={styles.panel}>
          {check?.shortUrl ? (
            <>
              <QrPicture shortUrl={check.shortUrl} />
              <p className={styles.url}>{check.shortUrl}</p>
            </>
          ) : (
            <p className={styles.hint}>{preview.noUrl}</p>
          )}
        </Tabs.Panel>
        <Tabs.Panel value="card" className={styles.panel}>
          <CardPanel draft={draft} page={page} />
        </Tabs.Panel>
      </Tabs>
    </Frame>
  );
}

function CardPanel({ draft, page }: { draft: Draft; page: PageMetadata | null }) {
  const [network, setNetwork] = useState<Network>('slack');
  const { preview } = t.linkParts;
  const isOwn = hasCard(draft);
  const isOfPage = draft.preview.imageUrl.trim() === (page?.imageUrl ?? '');
  const picture = usePageMetadata(isOfPage ? '' : draft.preview.imageUrl);
  const card = isOwn ? ownCard(draft, pictureOf(isOfPage ? page : picture)) : cardOfPage(draft, page);
  return (
    <>
      <SegmentedControl
        fullWidth
        size="xs"
        aria-label={preview.network}
        value={network}
        onChange={(value) => setNetwork(value as Network)}
        data={NETWORKS.map((value) => ({ value, label: preview.networks[value] }))}
      />
      {card ? <SocialCard card={card} network={network} /> : null}
      <p className={styles.hint}>{isOwn ? preview.ownCard : card ? preview.cardOfPage : preview.noCard}</p>
      {picture?.problem ? <p className={styles.hint}>{preview.pictureProblem}</p> : null}
    </>
  );
}

/** With a card of its own the link shows that to networks, and nothing of the page. */
function ownCard(draft: Draft, picture: string | null): Card {
  const { title, description } = draft.preview;
  return {
    title: title || URL.parse(draft.destination.trim())?.host || `${draft.domain}/${draft.slug}`,
    description: description || null,
    siteName: null,
    host: draft.domain,
    picture,
  };
}

/** Without one, networks follow the link and show the card of the page. */
function cardOfPage(draft: Draft, page: PageMetadata | null): Card | null {
  const url = URL.parse(draft.destination.trim());
  if (!page?.title || !url) return null;
  const { title, description, siteName } = page;
  return { title, description, siteName, host: url.host, picture: pictureOf(page) };
}
