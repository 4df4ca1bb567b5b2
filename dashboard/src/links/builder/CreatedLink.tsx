import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { t } from '../../texts/index.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { IconOpen } from '../../ui/icons.ts';
import { onDemand } from '../../ui/onDemand.tsx';
import { Card, Page } from '../../ui/Page.tsx';
import { LoadingRows } from '../../ui/states.tsx';
import styles from './CreatedLink.module.css';

const QrDesigner = onDemand(() => import('../QrDesigner.tsx').then(({ QrDesigner }) => QrDesigner), {
  fallback: <LoadingRows rows={4} />,
});

interface CreatedLinkProps {
  link: { id: string; shortUrl: string };
  onAnother: () => void;
}

/** The new link, ready to be shared: selected, copied, scanned. */
export function CreatedLink({ link: { id, shortUrl }, onAnother }: CreatedLinkProps) {
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => ref.current?.select(), []);
  return (
    <Page title={t.linkParts.created} about={t.linkParts.createdBody}>
      <Card>
        <div className={styles.row}>
          <input ref={ref} className={styles.url} readOnly value={shortUrl} aria-label={t.linkParts.shortLink} />
          <CopyButton text={shortUrl} what={t.links.shortUrl} label={t.common.copy} />
          <Button
            component="a"
            href={shortUrl}
            target="_blank"
            rel="noopener noreferrer"
            variant="default"
            leftSection={<IconOpen size={16} />}
          >
            {t.links.menu.follow}
          </Button>
        </div>
        <div className={styles.row}>
          <Button renderRoot={(props) => <Link to="/links/$linkId" params={{ linkId: id }} {...props} />}>
            {t.linkParts.toLink}
          </Button>
          <Button variant="default" onClick={onAnother}>
            {t.linkParts.another}
          </Button>
        </div>
      </Card>
      <Card title={t.links.qr.title}>
        <div className={styles.qr}>
          <QrDesigner shortUrl={shortUrl} />
        </div>
      </Card>
    </Page>
  );
}
