import { Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { momentOf } from '../kernel/localTimes.ts';
import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import type { BulkAction } from './bulkChanges.ts';
import { TagsField } from './TagsField.tsx';
import { useDomains } from './useDomains.ts';

export type BulkField = 'addTags' | 'removeTags' | 'domain' | 'expiry';

interface BulkFieldDialogProps {
  field: BulkField | null;
  projectId: string;
  onClose: () => void;
  onApply: (action: BulkAction) => void;
}

/** Asks for the value that all selected links get. */
export function BulkFieldDialog({ field, onClose, ...rest }: BulkFieldDialogProps) {
  return (
    <Dialog opened={field !== null} onClose={onClose} title={field ? t.links.bulk[field] : ''}>
      {field ? <FieldForm field={field} {...rest} /> : null}
    </Dialog>
  );
}

function FieldForm({ field, projectId, onApply }: Omit<BulkFieldDialogProps, 'onClose'> & { field: BulkField }) {
  const [tags, setTags] = useState<string[]>([]);
  const [value, setValue] = useState('');
  const domains = useDomains(projectId);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (field === 'domain') return onApply({ kind: 'set', set: { domain: value } });
    if (field === 'expiry') {
      return onApply({ kind: 'set', set: { expiresAt: value ? momentOf(value) : null } });
    }
    onApply({ kind: field, tags });
  };
  const isReady = field === 'domain' ? value !== '' : field === 'expiry' || tags.length > 0;
  return (
    <form onSubmit={submit}>
      <Stack>
        {field === 'domain' ? (
          <>
            <Alert color="yellow">{t.links.bulk.domainWarning}</Alert>
            <Select
              label={t.links.filters.domain}
              data={domains}
              value={value}
              onChange={(domain) => setValue(domain ?? '')}
            />
          </>
        ) : null}
        {field === 'expiry' ? (
          <TextInput
            type="datetime-local"
            label={t.links.bulk.expiryLabel}
            description={t.links.bulk.noExpiry}
            value={value}
            onChange={(event) => setValue(event.currentTarget.value)}
          />
        ) : null}
        {field === 'addTags' || field === 'removeTags' ? (
          <TagsField label={t.links.bulk.tags} projectId={projectId} value={tags} onChange={setTags} />
        ) : null}
        <Group justify="flex-end">
          <Button type="submit" disabled={!isReady}>
            {t.links.bulk.apply}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
