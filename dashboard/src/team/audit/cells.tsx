import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { t } from '../../texts/index.ts';
import { IconSearch } from '../../ui/icons.ts';
import type { AuditSearch } from './filters.ts';
import type { AuditEntry } from './operations.ts';
import { pageOf } from './pageOf.ts';

/** In pixels: the shortest line into which an e-mail is broken. */
const CELL_WIDTH = 110;

interface FilterProps {
  onFilter: (changed: AuditSearch) => void;
}

/** Who did it, with the way to everything else that they did. */
export function ActorOf({ entry: { actor, details }, onFilter }: FilterProps & { entry: AuditEntry }) {
  const { audit } = t;
  const { id, kind, name } = actor;
  const shown = name ?? audit.actors[kind] ?? kind;
  return (
    <Group gap={4} wrap="nowrap" align="flex-start" miw={CELL_WIDTH}>
      <span>
        {shown}
        {kind === 'key' && name !== null ? <small> ({audit.byKey})</small> : null}
        <Via details={details as Details} />
      </span>
      {id === null ? null : <OnlyThis label={audit.onlyActor(shown)} onClick={() => onFilter({ actor: id })} />}
    </Group>
  );
}

/** What an entry says of a change that an assistant made. */
interface Details {
  via?: { surface: string; client: string | null };
}

function Via({ details: { via } }: { details: Details }) {
  if (!via) return null;
  const { byAssistant, byNamedAssistant } = t.audit;
  return <small> {via.client ? byNamedAssistant(via.client) : byAssistant}</small>;
}

/** What it was about, as a link to its page where it has one, with the way to everything else that happened to it. */
export function SubjectOf({ entry, team, onFilter }: FilterProps & { entry: AuditEntry; team: string }) {
  const { audit } = t;
  const { subjectId, subjectName } = entry;
  const shown = subjectName ?? subjectId;
  if (shown === null) return null;
  const page = pageOf(entry, team);
  return (
    <Group gap={4} wrap="nowrap" align="flex-start" miw={CELL_WIDTH}>
      {page ? (
        <Link to={page.to} params={page.params as never} search={page.search as never}>
          {shown}
        </Link>
      ) : (
        <span>{shown}</span>
      )}
      {subjectId === null ? null : (
        <OnlyThis label={audit.onlySubject(shown)} onClick={() => onFilter({ subject: subjectId })} />
      )}
    </Group>
  );
}

function OnlyThis({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Tooltip label={label}>
      <ActionIcon variant="subtle" color="gray" size={24} aria-label={label} onClick={onClick}>
        <IconSearch size={14} />
      </ActionIcon>
    </Tooltip>
  );
}
