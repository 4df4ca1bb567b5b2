import { Button, Progress, Stack } from '@mantine/core';
import { formatExact } from '../../kernel/numbers.ts';
import { t } from '../../texts/index.ts';
import { Dialog } from '../../ui/Dialog.tsx';

interface ExportDialogProps {
  /** Entries so far; null: nothing is being collected. */
  found: number | null;
  onStop: () => void;
}

/** How far the walk through the log is. How long it is, nobody knows before its end. */
export function ExportDialog({ found, onStop }: ExportDialogProps) {
  const { audit } = t;
  return (
    <Dialog opened={found !== null} onClose={onStop} title={audit.csvTitle}>
      <Stack>
        <Progress value={100} animated aria-label={audit.csvTitle} />
        <span role="status">{audit.csvProgress(formatExact(found ?? 0), found ?? 0)}</span>
        <Button variant="default" onClick={onStop}>
          {audit.csvStop}
        </Button>
      </Stack>
    </Dialog>
  );
}
