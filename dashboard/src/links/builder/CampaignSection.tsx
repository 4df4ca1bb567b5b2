import { TextInput } from '@mantine/core';
import { t } from '../../texts/index.ts';
import { type Draft, UTM_FIELDS } from './draft.ts';
import styles from './LinkForm.module.css';
import type { FieldsProps } from './LinkForm.tsx';
import { Section } from './Section.tsx';

export function CampaignSection({ draft, change, problemOf, hasProblem }: FieldsProps) {
  const set = UTM_FIELDS.filter((field) => draft.utm[field]);
  return (
    <Section
      title={t.linkParts.sections.campaign}
      summary={set.length > 0 ? set.map((field) => draft.utm[field]).join(' · ') : null}
      hasProblem={hasProblem('utm')}
    >
      <div className={styles.pair}>
        {UTM_FIELDS.map((field) => (
          <TextInput
            key={field}
            label={t.linkParts.utm[field]}
            placeholder={t.linkParts.utm.hints[field]}
            data-path={`utm.${field}`}
            value={draft.utm[field]}
            error={problemOf(`utm.${field}`)}
            onChange={(event) => change({ utm: { ...draft.utm, [field]: event.currentTarget.value } })}
          />
        ))}
      </div>
      {set.length > 0 && URL.canParse(draft.destination) ? (
        <p className={styles.hint}>
          {t.linkParts.utm.result} <code>{withCampaign(draft.destination, draft.utm)}</code>
        </p>
      ) : null}
    </Section>
  );
}

function withCampaign(destination: string, utm: Draft['utm']): string {
  const url = new URL(destination);
  for (const field of UTM_FIELDS) if (utm[field]) url.searchParams.set(`utm_${field}`, utm[field]);
  return url.href;
}
