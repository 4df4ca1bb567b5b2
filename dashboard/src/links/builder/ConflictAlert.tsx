import { Alert, Button, Group } from '@mantine/core';
import { t } from '../../texts/index.ts';
import type { LinkToEdit } from './draft.ts';

interface ConflictAlertProps {
  /** Who changed it and when, in the server's words. */
  message: string;
  /** The link as this person has read it, and as it is now. */
  before: LinkToEdit;
  now: LinkToEdit;
  onReload: () => void;
  onOverwrite: () => void;
}

/** Says who changed what in a link that somebody else has edited meanwhile, and asks whose version shall stay. */
export function ConflictAlert({ message, before, now, onReload, onOverwrite }: ConflictAlertProps) {
  const fields = changedFields(before, now);
  return (
    <Alert color="yellow" variant="light" role="alert" title={t.builder.conflictTitle}>
      <p lang="en">{message}</p>
      {fields.length > 0 ? <p>{t.builder.conflictFields(fields.join(', '))}</p> : null}
      <Group>
        <Button variant="default" onClick={onReload}>
          {t.builder.conflictReload}
        </Button>
        <Button color="red" onClick={onOverwrite}>
          {t.builder.conflictOverwrite}
        </Button>
      </Group>
    </Alert>
  );
}

/** The names of the fields that are not the same, as the form calls them. */
function changedFields(before: LinkToEdit, now: LinkToEdit): string[] {
  return Object.entries(names())
    .filter(([field]) => JSON.stringify(before[field as never]) !== JSON.stringify(now[field as never]))
    .map(([, name]) => name);
}

function names(): Partial<Record<keyof LinkToEdit, string>> {
  const { limits, sections, advanced } = t.builder;
  return {
    destination: t.builder.destination,
    domain: t.builder.domain,
    slug: t.builder.slug,
    title: t.builder.title,
    notes: t.builder.notes,
    tags: t.builder.tags,
    utm: sections.campaign,
    routing: sections.routing,
    data: sections.data,
    preview: sections.social,
    startsAt: limits.startsAt,
    expiresAt: limits.expiresAt,
    clickLimit: limits.clickLimit,
    expiredDestination: limits.expiredDestination,
    passwordProtected: limits.password,
    matchWindowSeconds: advanced.matchWindow,
    externalId: advanced.externalId,
  };
}
