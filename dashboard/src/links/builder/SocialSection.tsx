import { Button, Textarea, TextInput } from '@mantine/core';
import { t } from '../../texts/index.ts';
import { type Draft, hasCard } from './draft.ts';
import type { FieldsProps } from './LinkForm.tsx';
import { Section } from './Section.tsx';
import type { PageMetadata } from './usePageMetadata.ts';

/** What chats and social networks show. */
export function SocialSection({
  draft,
  change,
  problemOf,
  hasProblem,
  page,
}: FieldsProps & { page: PageMetadata | null }) {
  const { social } = t.linkParts;
  const set = (changed: Partial<Draft['preview']>) => change({ preview: { ...draft.preview, ...changed } });
  const isSet = hasCard(draft);
  const offered = offerOf(draft.preview, page);
  return (
    <Section
      title={t.linkParts.sections.social}
      summary={isSet ? draft.preview.title || social.set : null}
      hasProblem={hasProblem('preview')}
    >
      {Object.keys(offered).length > 0 ? (
        <div>
          <Button size="compact-sm" variant="light" onClick={() => set(offered)}>
            {social.fill}
          </Button>
        </div>
      ) : null}
      <TextInput
        label={social.title}
        description={social.about}
        data-path="preview.title"
        value={draft.preview.title}
        error={problemOf('preview.title')}
        onChange={(event) => set({ title: event.currentTarget.value })}
      />
      <Textarea
        label={social.description}
        rows={2}
        data-path="preview.description"
        value={draft.preview.description}
        error={problemOf('preview.description')}
        onChange={(event) => set({ description: event.currentTarget.value })}
      />
      <TextInput
        label={social.imageUrl}
        placeholder="https://"
        inputMode="url"
        data-path="preview.imageUrl"
        value={draft.preview.imageUrl}
        error={problemOf('preview.imageUrl')}
        onChange={(event) => set({ imageUrl: event.currentTarget.value })}
      />
    </Section>
  );
}

/** What the page says for the fields that are empty: nothing that was written is overwritten. */
function offerOf(preview: Draft['preview'], page: PageMetadata | null): Partial<Draft['preview']> {
  const fields = (['title', 'description', 'imageUrl'] as const).filter((field) => page?.[field] && !preview[field]);
  return Object.fromEntries(fields.map((field) => [field, page?.[field] ?? '']));
}
