import { Button, Progress, Stack } from '@mantine/core';
import { formatShare } from '../kernel/numbers.ts';
import { t } from '../texts/index.ts';

/** How much of the file has arrived, and the way to stop. */
export function UploadProgress({ share, onStop }: { share: number; onStop: () => void }) {
  return (
    <Stack gap={8}>
      <Progress value={100 * share} aria-label={t.imports.progress} />
      <span role="status">{t.imports.uploading(formatShare(share))}</span>
      <div>
        <Button variant="default" onClick={onStop}>
          {t.imports.cancelUpload}
        </Button>
      </div>
    </Stack>
  );
}
