import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { onDemand } from '../ui/onDemand.tsx';
import { LoadingRows } from '../ui/states.tsx';

const QrDesigner = onDemand(() => import('./QrDesigner.tsx').then(({ QrDesigner }) => QrDesigner), {
  fallback: <LoadingRows rows={4} />,
});

/** The QR code of a short URL, to look at, design and download. */
export function QrDialog({ link, onClose }: { link: { shortUrl: string } | null; onClose: () => void }) {
  return (
    <Dialog opened={link !== null} onClose={onClose} title={t.links.qr.title}>
      {link ? <QrDesigner shortUrl={link.shortUrl} /> : null}
    </Dialog>
  );
}
