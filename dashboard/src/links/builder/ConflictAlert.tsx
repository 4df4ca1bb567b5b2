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
    <Alert color="yellow" variant="light" role="alert" title={t.linkParts.conflictTitle}>
      <p lang="en">{message}</p>
      {fields.length > 0 ? <p>{t.linkParts.conflictFields(fields.join(', '))}</p> : null}
      <Group>
        <Button variant="default" onClick={onReload}>
          {t.linkParts.conflictReload}
        </Button>
        <Button color="red" onClick={onOverwrite}>
          {t.linkParts.conflictOverwrite}
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
  const { limits, sections, advanced } = t.linkParts;
  return {
    destination: t.builder.destination,
    domain: t.builder.domain,
    slug: t.builder.slug,
    title: t.linkParts.title,
    notes: t.linkParts.notes,
    tags: t.linkParts.tags,
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
