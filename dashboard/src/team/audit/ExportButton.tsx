import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { downloadText } from '../../kernel/csv.ts';
import { formatExact } from '../../kernel/numbers.ts';
import { t } from '../../texts/index.ts';
import { IconDownload } from '../../ui/icons.ts';
import { dialogOnDemand } from '../../ui/onDemand.tsx';
import { toast, toastError } from '../../ui/toasts.ts';
import { auditCsv } from './auditCsv.ts';
import type { AuditFilters } from './operations.ts';

const ExportDialog = dialogOnDemand(
  () => import('./ExportDialog.tsx').then(({ ExportDialog }) => ExportDialog),
  ({ found }) => found !== null,
);

interface ExportButtonProps {
  filters: AuditFilters;
  isEmpty: boolean;
}

/** Downloads all that the filters find as CSV, with progress and a way to stop. */
export function ExportButton({ filters, isEmpty }: ExportButtonProps) {
  const { audit } = t;
  const [found, setFound] = useState<number | null>(null);
  const stopping = useRef<AbortController>(null);
  const start = async () => {
    const controller = new AbortController();
    stopping.current = controller;
    setFound(0);
    try {
      const { csv, count } = await auditCsv(filters, { signal: controller.signal, onProgress: setFound });
      downloadText('audit-log.csv', csv);
      toast(audit.csvDone(formatExact(count), count));
    } catch (error) {
      if (!controller.signal.aborted) toastError(error);
    } finally {
      setFound(null);
    }
  };
  const stop = () => stopping.current?.abort();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        disabled={isEmpty}
        onClick={() => void start()}
      >
        {audit.csv}
      </Button>
      <ExportDialog found={found} onStop={stop} />
    </>
  );
}
