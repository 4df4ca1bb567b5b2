import { Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject, useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconChevronDown } from '../ui/icons.ts';
import { MenuChoice } from '../ui/MenuChoice.tsx';
import styles from './ProjectMenu.module.css';

/** With more projects there is a field to search them. */
const SEARCH_FROM = 10;
/** So many at once; further ones are found by their names. */
const MOST_SHOWN = 50;

/** The project of the page, and the way to another one. */
export function ProjectMenu() {
  const { projects, teams } = useSession();
  const project = useProject();
  const navigate = useNavigate();
  const [search, setSearch] = useState('');
  if (!project) return null;
  const words = search.trim().toLocaleLowerCase();
  const found = projects.filter(({ name }) => name.toLocaleLowerCase().includes(words));
  const shown = found.slice(0, MOST_SHOWN);
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <button
          type="button"
          className={styles.button}
          aria-label={`${t.shell.project}: ${project.name}. ${t.shell.switchProject}`}
          title={project.name}
        >
          <span className={styles.name}>{project.name}</span>
          <IconChevronDown size={16} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles.dropdown}>
        {projects.length < SEARCH_FROM ? null : (
          <Menu.Search
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            placeholder={t.shell.findProject}
            aria-label={t.shell.findProject}
          />
        )}
        {teams
          .filter(({ id }) => shown.some(({ teamId }) => teamId === id))
          .map((team) => (
            <div key={team.id}>
              <Menu.Label className={styles.team}>{team.name}</Menu.Label>
              {shown
                .filter(({ teamId }) => teamId === team.id)
                .map(({ id, name, health }) => (
                  <MenuChoice
                    key={id}
                    isChosen={id === project.id}
                    onChoose={() => void navigate({ to: '/', search: { project: id } })}
                  >
                    <span className={styles.item}>{name}</span>
                    {health === 'failing' ? <span className={styles.failing}>{t.states.health.failing}</span> : null}
                  </MenuChoice>
                ))}
            </div>
          ))}
        {found.length === 0 ? <p className={styles.note}>{t.shell.noSuchProject}</p> : null}
        {found.length > shown.length ? (
          <p className={styles.note}>{t.shell.moreProjects(found.length - shown.length)}</p>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
