import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { withoutScheme } from '../../kernel/addresses.ts';
import { codeOf } from '../../kernel/GraphqlError.ts';
import { graphql } from '../../kernel/graphql.ts';
import { useAsk, useChange } from '../../kernel/queries.ts';
import { type DraftStore, draftStore, useFormDraft } from '../../kernel/useFormDraft.ts';
import { useCan } from '../../session/permissions.ts';
import { useItsPlace } from '../../session/useItsPlace.ts';
import { t, withTexts } from '../../texts/index.ts';
import { ManagedBy } from '../../ui/ManagedBy.tsx';
import { onDemand } from '../../ui/onDemand.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { toast } from '../../ui/toasts.ts';
import { UnsavedWork } from '../../ui/UnsavedWork.tsx';
import { changesOf, type Draft, draftOf, type LinkToEdit, withoutPassword } from './draft.ts';
import { LinkForm } from './LinkForm.tsx';
import { LINK_TO_EDIT } from './operations.ts';

const UPDATE_LINK = graphql(`
  mutation UpdateLink($id: ID!, $input: UpdateLinkInput!, $ifUpdatedAt: DateTimeISO) {
    updateLink(id: $id, input: $input, ifUpdatedAt: $ifUpdatedAt) {
      id
      shortUrl
    }
  }
`);

// Few people edit a link at the same time.
const loadConflictAlert = withTexts('linkParts', () => import('./ConflictAlert.tsx'));
const ConflictAlert = onDemand(() => loadConflictAlert().then(({ ConflictAlert }) => ConflictAlert));

export function EditLinkPage() {
  const { linkId } = useParams({ from: '/shell/links/$linkId/edit' });
  const { isAllowed, why } = useCan('links:write');
  // What somebody else saves meanwhile must not change the form below the hands of this person.
  const { data, error, refetch } = useAsk({
    about: 'links',
    document: LINK_TO_EDIT,
    variables: { id: linkId },
    keepsEarlier: false,
  });
  const isInPlace = useItsPlace(data?.link);
  const [version, setVersion] = useState(0);
  if (!isAllowed || !data || !isInPlace)
    return (
      <Page title={t.common.edit} back="/links/$linkId">
        {!isAllowed ? (
          <EmptyState title={why ?? ''} />
        ) : error ? (
          <ErrorState error={error} retry={refetch} />
        ) : (
          <LoadingRows />
        )}
      </Page>
    );
  const reload = async () => {
    await refetch();
    setVersion((number) => number + 1);
  };
  return <EditLink key={`${linkId} ${version}`} current={data.link} refetch={refetch} onReload={reload} />;
}

interface EditLinkProps {
  /** The link as it is now. */
  current: LinkToEdit;
  refetch: () => Promise<unknown>;
  /** Shows what is saved, instead of what was written. */
  onReload: () => Promise<void>;
}

function EditLink({ current, refetch, onReload }: EditLinkProps) {
  const [link] = useState(current);
  const navigate = useNavigate();
  const form = useFormDraft(storeOf(link.id), draftOf(link));
  const [refusal, setRefusal] = useState<Error | null>(null);
  const [conflict, setConflict] = useState<string | null>(null);
  const update = useChange({
    document: UPDATE_LINK,
    touches: ['links', 'tags', 'audit'],
    onDone: () => {
      form.forget();
      toast(t.builder.saved);
    },
  });
  const save = (isForced: boolean) => {
    setRefusal(null);
    setConflict(null);
    form.toSend();
    const { basedOn } = form.draft;
    const ifUpdatedAt = isForced ? null : basedOn;
    update.mutate(
      { id: link.id, input: changesOf(form.draft), ifUpdatedAt },
      {
        onSuccess: () => void navigate({ to: '/links/$linkId', params: { linkId: link.id }, ignoreBlocker: true }),
        onError: async (error) => {
          if (codeOf(error) !== 'conflict' || isForced) return setRefusal(error);
          // What they changed is shown as far as it can be read; who and when stands in the refusal.
          await refetch();
          setConflict(error.message);
        },
      },
    );
  };
  const discard = async () => {
    form.reset();
    await onReload();
  };
  const change = (changed: Partial<Draft>) => {
    setRefusal(null);
    form.change({ ...changed, basedOn: form.draft.basedOn });
  };
  return (
    <Page title={t.builder.editTitle(withoutScheme(link.shortUrl))} back="/links/$linkId">
      <ManagedBy managedBy={link.managedBy} look="warning" />
      <UnsavedWork form={form} onDiscard={() => void discard()} />
      {conflict === null ? null : (
        <ConflictAlert
          message={conflict}
          before={link}
          now={current}
          onReload={() => void discard()}
          onOverwrite={() => save(true)}
        />
      )}
      <LinkForm
        draft={form.draft}
        change={change}
        saved={link}
        refusal={refusal}
        isSaving={update.isPending}
        onSave={() => save(false)}
      />
    </Page>
  );
}

function storeOf(linkId: string): DraftStore<Draft> {
  const { read, write } = draftStore<Draft>(`link.${linkId}`);
  return { read, write: (draft) => write(draft === null ? null : withoutPassword(draft)) };
}
