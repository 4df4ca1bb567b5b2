import { Button, Textarea, TextInput } from '@mantine/core';
import { useProjectId } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { TagsField } from '../TagsField.tsx';
import styles from './LinkForm.module.css';
import type { FieldsProps } from './LinkForm.tsx';
import type { PageMetadata } from './usePageMetadata.ts';

interface NameFieldsProps extends FieldsProps {
  page: PageMetadata | null;
}

/** How a link is found again by the people of the project. */
export function NameFields({ draft, change, problemOf, page }: NameFieldsProps) {
  const projectId = useProjectId();
  return (
    <div className={styles.main}>
      <TagsField
        label={t.linkParts.tags}
        projectId={projectId}
        data-path="tags"
        value={draft.tags}
        error={problemOf('tags')}
        onChange={(tags) => change({ tags })}
      />
      <TextInput
        label={t.linkParts.title}
        description={t.linkParts.titleHint}
        data-path="title"
        value={draft.title}
        error={problemOf('title')}
        onChange={(event) => change({ title: event.currentTarget.value })}
      />
      <TitleOffer title={draft.title} page={page} onUse={(title) => change({ title })} />
      <Textarea
        label={t.linkParts.notes}
        rows={1}
        data-path="notes"
        value={draft.notes}
        error={problemOf('notes')}
        onChange={(event) => change({ notes: event.currentTarget.value })}
      />
    </div>
  );
}

interface TitleOfferProps {
  title: string;
  page: PageMetadata | null;
  onUse: (title: string) => void;
}

/** The title of the page, as an offer: a title that was written stays. */
function TitleOffer({ title, page, onUse }: TitleOfferProps) {
  if (page?.problem) return <p className={styles.hint}>{t.linkParts.pageProblems[page.problem]}</p>;
  const offered = page?.title;
  if (!offered || title !== '') return null;
  return (
    <div className={styles.offer}>
      <Button size="compact-sm" variant="light" onClick={() => onUse(offered)}>
        {t.linkParts.useTitle}
      </Button>
      <span>{offered}</span>
    </div>
  );
}
