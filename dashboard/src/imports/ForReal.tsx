import { Alert, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { ErrorText } from '../ui/states.tsx';
import { keptFile } from './chosenFiles.ts';
import { FileField } from './FileField.tsx';
import type { OneImport } from './operations.ts';
import { UploadProgress } from './UploadProgress.tsx';
import { useUpload } from './useUpload.ts';

/** After a check: the import itself, of the same file. */
export function ForReal({ checked }: { checked: OneImport }) {
  const navigate = useNavigate();
  const [file, setFile] = useState(() => keptFile(checked.id));
  const [isAsked] = useState(file === null);
  const upload = useUpload((id) => void navigate({ to: '/imports/$importId', params: { importId: id } }));
  const { projectId, sourceFormat, onConflict } = checked;
  const start = () => file && void upload.start(file, { projectId, format: sourceFormat, onConflict, dryRun: false });
  return (
    <Alert color="blue" variant="light" title={t.imports.forRealAbout}>
      <Stack gap={10}>
        {isAsked ? (
          <>
            <p>{t.imports.chooseAgain}</p>
            <FileField file={file} onChange={setFile} />
          </>
        ) : null}
        {upload.error ? <ErrorText error={upload.error} /> : null}
        {upload.share === null ? (
          <div>
            <GuardedButton scope="links:write" disabled={!file} onClick={start}>
              {t.imports.forReal}
            </GuardedButton>
          </div>
        ) : (
          <UploadProgress share={upload.share} onStop={upload.stop} />
        )}
      </Stack>
    </Alert>
  );
}
