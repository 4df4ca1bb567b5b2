import { Select } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { Team } from '../session/session.ts';
import { t } from '../texts/index.ts';

/** From this many teams on, they are found by typing. */
const SEARCHED_FROM = 9;

/** The team of the page among several, kept in the address. */
export function TeamField({ teams, teamId }: { teams: readonly Team[]; teamId: string }) {
  const navigate = useNavigate();
  return (
    <Select
      aria-label={t.shell.pages.team}
      data={teams.map(({ id, name }) => ({ value: id, label: name }))}
      value={teamId}
      allowDeselect={false}
      searchable={teams.length >= SEARCHED_FROM}
      onChange={(id) => {
        if (id) void navigate({ to: '.', search: (search) => ({ ...search, team: id }) as never });
      }}
    />
  );
}
