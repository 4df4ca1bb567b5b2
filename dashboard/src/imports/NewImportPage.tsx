import { Alert, Radio, Select, Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Card, Page } from '../ui/Page.tsx';
import { ErrorText } from '../ui/states.tsx';
import { keepFile } from './chosenFiles.ts';
import { FileField } from './FileField.tsx';
import styles from './imports.module.css';
import type { ImportFormat, OnConflict } from './operations.ts';
import { UploadProgress } from './UploadProgress.tsx';
import { MAX_BYTES } from './uploadImport.ts';
import { useUpload } from './useUpload.ts';

const FORMATS = graphql(`
  query ImportFormats {
    service {
      importFormats {
        format
        columns
      }
    }
  }
`);

const FORMAT_NAMES = [
  'svc',
  'bitly',
  'dub',
  'short_io',
  'rebrandly',
  'firebase',
  'branch',
] as const satisfies ImportFormat[];
const CONFLICTS = ['skip', 'update', 'fail'] as const satisfies OnConflict[];

/** A file, where it comes from, and what happens to links that exist. It is always checked first. */
export function NewImportPage() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { format: wanted } = useSearch({ from: '/shell/imports/new' });
  const [file, setFile] = useState<File | null>(null);
  const [format, setFormat] = useState<ImportFormat>(FORMAT_NAMES.find((name) => name === wanted) ?? 'svc');
  const [onConflict, setOnConflict] = useState<OnConflict>('skip');
  const upload = useUpload((id) => {
    if (file) keepFile(id, file);
    void navigate({ to: '/imports/$importId', params: { importId: id } });
  });
  const isTooLarge = file !== null && file.size > MAX_BYTES;
  return (
    <Page title={t.imports.newTitle} about={t.imports.checkAbout} back="/imports">
      <Card>
        <Stack>
          <FileField file={file} onChange={setFile} />
          {isTooLarge ? (
            <Alert color="red" role="alert">
              {t.imports.tooLarge}
            </Alert>
          ) : null}
          <Select
            label={t.imports.source}
            data={FORMAT_NAMES.map((value) => ({ value, label: t.imports.formats[value] }))}
            value={format}
            onChange={(value) => setFormat(value as ImportFormat)}
          />
          <Columns format={format} />
          <Radio.Group
            label={t.imports.conflict}
            value={onConflict}
            onChange={(value) => setOnConflict(value as OnConflict)}
          >
            <Stack gap={8} mt={8}>
              {CONFLICTS.map((value) => (
                <Radio key={value} value={value} label={t.imports.conflicts[value]} />
              ))}
            </Stack>
          </Radio.Group>
          {upload.error ? (
            <Alert color="red" role="alert">
              <ErrorText error={upload.error} />
              {'fields' in upload.error ? (
                <Fields error={upload.error as Error & { fields: { message: string }[] }} />
              ) : null}
            </Alert>
          ) : null}
          {upload.share === null ? (
            <div>
              <GuardedButton
                scope="links:write"
                disabled={!file || isTooLarge}
                onClick={() => file && void upload.start(file, { projectId, format, onConflict, dryRun: true })}
              >
                {t.imports.check}
              </GuardedButton>
            </div>
          ) : (
            <UploadProgress share={upload.share} onStop={upload.stop} />
          )}
        </Stack>
      </Card>
    </Page>
  );
}

function Fields({ error: { fields } }: { error: { fields: { message: string }[] } }) {
  return fields.map(({ message }) => (
    <p key={message} lang="en">
      {message}
    </p>
  ));
}

/** What the file should look like. */
function Columns({ format }: { format: ImportFormat }) {
  const { data } = useAsk({ about: 'imports', document: FORMATS, variables: {} });
  const columns = data?.service.importFormats.find((one) => one.format === format)?.columns ?? [];
  if (columns.length === 0) return null;
  return (
    <div>
      <p className={styles.hint}>{t.imports.columns}</p>
      <ul className={styles.columns}>
        {columns.map((column) => (
          <li key={column}>
            <code>{column}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
