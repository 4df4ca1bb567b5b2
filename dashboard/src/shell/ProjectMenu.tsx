import { Popover, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useProject, useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconCheck, IconChevronDown, IconPlus } from '../ui/icons.ts';
import styles from './ProjectMenu.module.css';

/** With more projects there is a field to search them. */
const SEARCH_FROM = 10;
/** So many at once; further ones are found by their names. */
const MOST_SHOWN = 50;

/** The project of the page, and the way to another one: links, so that one can also be opened beside this page. */
export function ProjectMenu() {
  const { projects, teams } = useSession();
  const project = useProject();
  const [isOpen, setIsOpen] = useState(false);
  const [search, setSearch] = useState('');
  if (!project) return null;
  const words = search.trim().toLocaleLowerCase();
  const found = projects.filter(({ name }) => name.toLocaleLowerCase().includes(words));
  const shown = found.slice(0, MOST_SHOWN);
  const open = (opened: boolean) => {
    setIsOpen(opened);
    if (opened) setSearch('');
  };
  return (
    <Popover position="bottom-start" width={280} trapFocus returnFocus opened={isOpen} onChange={open}>
      <Popover.Target>
        <button
          type="button"
          className={styles.button}
          aria-label={`${t.shell.project}: ${project.name}. ${t.shell.switchProject}`}
          title={project.name}
          onClick={() => open(!isOpen)}
        >
          <span className={styles.name}>{project.name}</span>
          <IconChevronDown size={16} aria-hidden />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.dropdown} aria-label={t.shell.switchProject}>
        {projects.length < SEARCH_FROM ? null : (
          <TextInput
            value={search}
            onChange={(event) => setSearch(event.currentTarget.value)}
            placeholder={t.shell.findProject}
            aria-label={t.shell.findProject}
          />
        )}
        {teams
          .filter(({ id }) => shown.some(({ teamId }) => teamId === id))
          .map((team) => (
            <ul key={team.id} className={styles.team} aria-label={team.name}>
              <li aria-hidden className={styles.teamName}>
                {team.name}
              </li>
              {shown
                .filter(({ teamId }) => teamId === team.id)
                .map(({ id, name, health }) => (
                  <li key={id}>
                    <Link
                      to="/"
                      search={{ project: id }}
                      className={styles.item}
                      aria-current={id === project.id ? 'true' : undefined}
                      onClick={() => setIsOpen(false)}
                    >
                      {id === project.id ? <IconCheck size={16} aria-hidden /> : null}
                      <span>{name}</span>
                      {health === 'failing' ? <span className={styles.failing}>{t.states.health.failing}</span> : null}
                    </Link>
                  </li>
                ))}
            </ul>
          ))}
        {found.length === 0 ? (
          <p className={styles.note} role="status">
            {t.shell.noSuchProject}
          </p>
        ) : null}
        <Link to="/projects/new" className={styles.item} onClick={() => setIsOpen(false)}>
          <IconPlus size={16} aria-hidden />
          <span>{t.shell.pages.newProject}</span>
        </Link>
        {found.length > shown.length ? (
          <p className={styles.note}>{t.shell.moreProjects(found.length - shown.length)}</p>
        ) : null}
      </Popover.Dropdown>
    </Popover>
  );
}
