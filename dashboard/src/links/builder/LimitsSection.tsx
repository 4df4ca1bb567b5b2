import { Checkbox, TextInput } from '@mantine/core';
import { localTime } from '../../kernel/localTimes.ts';
import { formatExact } from '../../kernel/numbers.ts';
import { t } from '../../texts/index.ts';
import { PasswordField } from '../../ui/PasswordField.tsx';
import styles from './LinkForm.module.css';
import type { FieldsProps } from './LinkForm.tsx';
import { Section } from './Section.tsx';

interface LimitsSectionProps extends FieldsProps {
  saved: { clicks: number; passwordProtected: boolean } | null;
}

/** When and how often the link works, and for whom. */
export function LimitsSection({ draft, change, problemOf, hasProblem, saved }: LimitsSectionProps) {
  const { limits } = t.linkParts;
  const hasPassword = draft.password !== '' || (saved?.passwordProtected === true && !draft.removesPassword);
  const words = [
    draft.startsAt ? limits.summary.starts : null,
    draft.expiresAt ? limits.summary.ends : null,
    draft.clickLimit ? limits.summary.limit : null,
    hasPassword ? limits.summary.password : null,
  ].filter((word) => word !== null);
  return (
    <Section
      title={t.linkParts.sections.limits}
      summary={words.length > 0 ? words.join(' · ') : null}
      hasProblem={hasProblem('startsAt', 'expiresAt', 'clickLimit', 'expiredDestination', 'password')}
    >
      <div className={styles.pair}>
        {(['startsAt', 'expiresAt'] as const).map((field) => (
          <TextInput
            key={field}
            type="datetime-local"
            label={limits[field]}
            data-path={field}
            value={localTime(draft[field])}
            error={problemOf(field)}
            onChange={(event) => change({ [field]: event.currentTarget.value })}
          />
        ))}
      </div>
      <p className={styles.hint}>{limits.zone(Intl.DateTimeFormat().resolvedOptions().timeZone)}</p>
      <div className={styles.pair}>
        <TextInput
          label={limits.clickLimit}
          description={saved ? limits.clicksNow(formatExact(saved.clicks)) : undefined}
          inputMode="numeric"
          data-path="clickLimit"
          value={draft.clickLimit}
          error={problemOf('clickLimit')}
          onChange={(event) => change({ clickLimit: event.currentTarget.value.replace(/\D/g, '') })}
        />
        <TextInput
          label={limits.expiredDestination}
          description={limits.expiredHint}
          data-path="expiredDestination"
          value={draft.expiredDestination}
          error={problemOf('expiredDestination')}
          onChange={(event) => change({ expiredDestination: event.currentTarget.value })}
        />
      </div>
      <PasswordField
        label={limits.password}
        required={false}
        description={saved?.passwordProtected ? limits.passwordKept : limits.passwordHint}
        autoComplete="new-password"
        data-path="password"
        value={draft.password}
        error={problemOf('password')}
        onChange={(event) => change({ password: event.currentTarget.value, removesPassword: false })}
      />
      {saved?.passwordProtected ? (
        <Checkbox
          label={limits.removePassword}
          checked={draft.removesPassword}
          onChange={(event) => change({ removesPassword: event.currentTarget.checked, password: '' })}
        />
      ) : null}
    </Section>
  );
}
