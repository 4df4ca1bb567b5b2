import { Modal } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { t } from '../texts/index.ts';
import { LoadingRows } from '../ui/states.tsx';

const QrDesigner = lazy(() => import('./QrDesigner.tsx').then(({ QrDesigner }) => ({ default: QrDesigner })));

/** The QR code of a short URL, to look at, design and download. */
export function QrDialog({ link, onClose }: { link: { shortUrl: string } | null; onClose: () => void }) {
  return (
    <Modal opened={link !== null} onClose={onClose} title={t.links.qr.title}>
      {link ? (
        <Suspense fallback={<LoadingRows rows={4} />}>
          <QrDesigner shortUrl={link.shortUrl} />
        </Suspense>
      ) : null}
    </Modal>
  );
}
