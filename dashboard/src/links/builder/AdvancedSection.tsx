import { TextInput } from '@mantine/core';
import { t } from '../../texts/index.ts';
import type { FieldsProps } from './LinkForm.tsx';
import { Section } from './Section.tsx';

export function AdvancedSection({ draft, change, problemOf, hasProblem }: FieldsProps) {
  const { advanced } = t.linkParts;
  return (
    <Section
      title={t.linkParts.sections.advanced}
      summary={draft.externalId || (draft.matchWindowSeconds ? advanced.matchWindow : null)}
      hasProblem={hasProblem('externalId', 'matchWindowSeconds')}
    >
      <TextInput
        label={advanced.externalId}
        description={advanced.externalIdHint}
        data-path="externalId"
        value={draft.externalId}
        error={problemOf('externalId')}
        onChange={(event) => change({ externalId: event.currentTarget.value })}
      />
      <TextInput
        label={advanced.matchWindow}
        description={advanced.matchWindowHint}
        inputMode="numeric"
        data-path="matchWindowSeconds"
        value={draft.matchWindowSeconds}
        error={problemOf('matchWindowSeconds')}
        onChange={(event) => change({ matchWindowSeconds: event.currentTarget.value.replace(/\D/g, '') })}
      />
    </Section>
  );
}
