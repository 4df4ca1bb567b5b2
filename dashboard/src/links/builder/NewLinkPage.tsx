import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../kernel/graphql.ts';
import { useAsk, useChange } from '../../kernel/queries.ts';
import { useFormDraft } from '../../kernel/useFormDraft.ts';
import { useCan } from '../../session/permissions.ts';
import { useProject, useSession } from '../../session/session.ts';
import { useItsPlace } from '../../session/useItsPlace.ts';
import { t, withTexts } from '../../texts/index.ts';
import { LeaveGuard } from '../../ui/LeaveGuard.tsx';
import { onDemand } from '../../ui/onDemand.tsx';
import { Page } from '../../ui/Page.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/states.tsx';
import { type Draft, duplicateOf, emptyDraft, inputOf } from './draft.ts';
import { LinkForm } from './LinkForm.tsx';
import { freshSlot, keptDrafts, newDraftStore } from './newDrafts.ts';
import { LINK_TO_EDIT } from './operations.ts';

const CREATE_LINK = graphql(`
  mutation CreateLink($input: CreateLinkInput!) {
    createLink(input: $input) {
      id
      shortUrl
    }
  }
`);

// Most people begin with nothing that waits for them.
const loadUnsavedDrafts = withTexts('linkParts', () => import('./UnsavedDrafts.tsx'));
const UnsavedDrafts = onDemand(() => loadUnsavedDrafts().then(({ UnsavedDrafts }) => UnsavedDrafts));
// Shown once the link is there.
const loadCreatedLink = withTexts('linkParts', () => import('./CreatedLink.tsx'));
const CreatedLink = onDemand(() => loadCreatedLink().then(({ CreatedLink }) => CreatedLink), {
  fallback: <LoadingRows rows={4} />,
});

/** A new link: empty, like another one, or with what another page has handed over. */
export function NewLinkPage() {
  const { from, destination = '', slug = '', domain } = useSearch({ from: '/shell/links/new' });
  const project = useProject();
  const { service } = useSession();
  const { isAllowed, why } = useCan('links:write');
  const { data, error, refetch } = useAsk({
    about: 'links',
    document: LINK_TO_EDIT,
    variables: { id: from ?? '' },
    isEnabled: from !== undefined,
    keepsEarlier: false,
  });
  const isInPlace = useItsPlace(from === undefined ? undefined : data?.link);
  if (!isAllowed || (from !== undefined && !data) || !isInPlace)
    return (
      <Page title={t.builder.newTitle} back="/links">
        {!isAllowed ? (
          <EmptyState title={why ?? ''} />
        ) : error ? (
          <ErrorState error={error} retry={refetch} />
        ) : (
          <LoadingRows />
        )}
      </Page>
    );
  const host = domain ?? project?.defaultDomain ?? service.linkDomain;
  const initial = data ? duplicateOf(data.link) : { ...emptyDraft(host), destination, slug };
  const given = [from, destination, slug].filter(Boolean).join(' ');
  return (
    <NewLinks key={given} given={given} initial={initial} empty={emptyDraft(host)} projectId={project?.id ?? ''} />
  );
}

interface NewLinksProps {
  /** What another page has handed over; empty: nothing. */
  given: string;
  initial: Draft;
  empty: Draft;
  projectId: string;
}

/** The form of one new link, and the way to others that were begun before. */
function NewLinks({ given, initial, empty, projectId }: NewLinksProps) {
  const [slot, setSlot] = useState(() => given || (keptDrafts(projectId)[0]?.slot ?? freshSlot()));
  return (
    <NewLink key={slot} slot={slot} initial={slot === given ? initial : empty} projectId={projectId} onSlot={setSlot} />
  );
}

interface NewLinkProps {
  slot: string;
  initial: Draft;
  projectId: string;
  onSlot: (slot: string) => void;
}

function NewLink({ slot, initial, projectId, onSlot }: NewLinkProps) {
  const form = useFormDraft(newDraftStore(projectId, slot), initial);
  const [kept, setKept] = useState(() => keptDrafts(projectId));
  const [refusal, setRefusal] = useState<Error | null>(null);
  const [created, setCreated] = useState<{ id: string; shortUrl: string } | null>(null);
  const create = useChange({
    document: CREATE_LINK,
    touches: ['links', 'tags'],
    onDone: ({ createLink }) => {
      form.forget();
      setCreated(createLink);
    },
  });
  const save = () => {
    setRefusal(null);
    create.mutate({ input: { ...inputOf(form.draft), projectId } }, { onError: setRefusal });
  };
  const change = (changed: Partial<Draft>) => {
    setRefusal(null);
    form.change(changed);
  };
  /** Keeps this one for later and shows another. */
  const show = (other: string) => {
    form.flush();
    onSlot(other);
  };
  const others = kept.filter((other) => other.slot !== slot);
  if (created) {
    return (
      <CreatedLink
        link={created}
        onAnother={() => {
          form.change({ slug: '', externalId: '', password: '' });
          setCreated(null);
        }}
      />
    );
  }
  return (
    <Page title={t.builder.newTitle} back="/links">
      <LeaveGuard isBlocking={form.isChanged} />
      {form.isRestored || others.length > 0 ? (
        <UnsavedDrafts
          isRestored={form.isRestored}
          others={others}
          onFresh={() => show(freshSlot())}
          onDiscard={form.reset}
          onOpen={show}
          onDrop={(dropped) => {
            newDraftStore(projectId, dropped).write(null);
            setKept(keptDrafts(projectId));
          }}
        />
      ) : null}
      <LinkForm
        draft={form.draft}
        change={change}
        saved={null}
        refusal={refusal}
        isSaving={create.isPending}
        onSave={save}
      />
    </Page>
  );
}
