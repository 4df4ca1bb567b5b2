import { Alert, Button, Select, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { withoutScheme } from '../../kernel/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { FIRST_FIELD } from '../../ui/firstField.ts';
import { useDomains } from '../useDomains.ts';
import { splitCampaign } from './draft.ts';
import styles from './LinkForm.module.css';
import type { FieldsProps } from './LinkForm.tsx';
import type { DraftCheck } from './useDraftCheck.ts';

interface MainFieldsProps extends FieldsProps {
  check: DraftCheck | null;
  /** The address that the link has now; null: it is new. */
  saved: { domain: string; slug: string } | null;
}

/** What every link has: where it leads, and where it is. Nothing else is needed to write, so all other fields come later. */
export function MainFields({ draft, change, problemOf, check, saved }: MainFieldsProps) {
  const projectId = useProjectId();
  const domains = useDomains(projectId);
  const campaign = splitCampaign(draft.destination);
  const isMoved = saved !== null && (saved.domain !== draft.domain || saved.slug !== draft.slug.trim());
  const duplicates = check?.duplicates ?? [];
  return (
    <div className={styles.main}>
      <TextInput
        label={t.builder.destination}
        description={t.builder.destinationHint}
        placeholder="https://"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        required
        {...(saved === null ? FIRST_FIELD : {})}
        data-path="destination"
        value={draft.destination}
        error={problemOf('destination')}
        onChange={(event) => change({ destination: event.currentTarget.value })}
      />
      {campaign ? (
        <div>
          <Button
            size="compact-sm"
            variant="light"
            onClick={() => change({ destination: campaign.destination, utm: { ...draft.utm, ...campaign.utm } })}
          >
            {t.builder.moveUtm}
          </Button>
        </div>
      ) : null}
      {duplicates.length > 0 ? (
        <p className={styles.hint}>
          {t.builder.duplicates(duplicates.length)}{' '}
          {duplicates.map(({ id, shortUrl }) => (
            <Link key={id} to="/links/$linkId" params={{ linkId: id }} className={styles.duplicate}>
              {withoutScheme(shortUrl)}
            </Link>
          ))}
        </p>
      ) : null}
      <div className={styles.pair}>
        <Select
          label={t.builder.domain}
          data={draft.domain && !domains.includes(draft.domain) ? [...domains, draft.domain] : domains}
          data-path="domain"
          value={draft.domain}
          error={problemOf('domain')}
          onChange={(domain) => change({ domain: domain ?? draft.domain })}
        />
        <TextInput
          label={t.builder.slug}
          autoComplete="off"
          spellCheck={false}
          data-path="slug"
          placeholder={saved === null ? t.builder.preview.anySlug : ''}
          value={draft.slug}
          error={check?.slugTaken && draft.slug ? t.builder.slugTaken : problemOf('slug')}
          onChange={(event) => change({ slug: event.currentTarget.value })}
        />
      </div>
      {saved === null ? <p className={styles.hint}>{t.builder.slugHint}</p> : null}
      {isMoved ? <Alert color="yellow">{t.builder.movedWarning}</Alert> : null}
    </div>
  );
}
