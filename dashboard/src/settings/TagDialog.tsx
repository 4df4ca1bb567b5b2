import { Select, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { errorsOf } from '../ui/formErrors.ts';
import { ManagedBy } from '../ui/ManagedBy.tsx';
import { Problems } from '../ui/Problems.tsx';
import { toast } from '../ui/toasts.ts';
import type { Tag } from './TagsTab.tsx';
import { tagForm } from './tagForm.ts';

const CREATE_TAG = graphql(`
  mutation CreateTag($input: CreateTagInput!) {
    createTag(input: $input) {
      id
    }
  }
`);

const UPDATE_TAG = graphql(`
  mutation UpdateTag($id: ID!, $input: UpdateTagInput!) {
    updateTag(id: $id, input: $input) {
      id
    }
  }
`);

interface TagDialogProps {
  projectId: string;
  edited: Tag | 'new' | null;
  onClose: () => void;
}

/** Name and colour of a tag, new or not. */
export function TagDialog({ projectId, edited, onClose }: TagDialogProps) {
  const { tags } = t.settings;
  return (
    <Dialog
      opened={edited !== null}
      onClose={onClose}
      title={edited === null || edited === 'new' ? tags.createTitle : tags.editTitle(edited.name)}
    >
      {edited === null ? null : <Form projectId={projectId} tag={edited === 'new' ? null : edited} onClose={onClose} />}
    </Dialog>
  );
}

interface FormProps {
  projectId: string;
  tag: Tag | null;
  onClose: () => void;
}

function Form({ projectId, tag, onClose }: FormProps) {
  const { tags } = t.settings;
  const [draft, setDraft] = useState(() => tagForm.draftOf(tag));
  const { name, color } = draft;
  const [errors, setErrors] = useState<Record<string, string>>({});
  const onDone = () => {
    toast(tags.saved);
    onClose();
  };
  const create = useChange({ document: CREATE_TAG, touches: ['tags'], onDone });
  const update = useChange({ document: UPDATE_TAG, touches: ['tags', 'links'], onDone });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const options = { onError: (error: Error) => setErrors(errorsOf(error, ['name', 'color'])) };
    if (tag) update.mutate({ id: tag.id, input: tagForm.changesOf(draft) }, options);
    else create.mutate({ input: { color: color || null, name: name.trim(), projectId } }, options);
  };
  // Colours by their hex digits come from the API, and stay.
  const known = Object.entries(tags.colors).map(([value, label]) => ({ value, label }));
  const others = color && !(color in tags.colors) ? [{ value: color, label: color }] : [];
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <ManagedBy managedBy={tag?.managedBy ?? null} look="warning" />
        <TextInput
          label={tags.name}
          required
          maxLength={100}
          data-autofocus
          value={name}
          error={errors.name}
          onChange={(event) => setDraft({ ...draft, name: event.currentTarget.value })}
        />
        <Select
          label={tags.color}
          data={[{ value: '', label: tags.noColor }, ...known, ...others]}
          value={color}
          allowDeselect={false}
          error={errors.color}
          onChange={(value) => setDraft({ ...draft, color: value ?? '' })}
        />
        <Problems messages={errors[''] ? [errors['']] : []} />
        <GuardedButton scope="tags:write" type="submit" loading={create.isPending || update.isPending}>
          {tags.save}
        </GuardedButton>
      </Stack>
    </form>
  );
}
