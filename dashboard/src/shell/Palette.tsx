import { useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import '@mantine/spotlight/styles.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { useCan } from '../session/permissions.ts';
import { useProject, useSession } from '../session/session.ts';
import { useSignOut } from '../session/useSignOut.ts';
import { t } from '../texts/index.ts';
import { colorSchemes } from '../ui/colorSchemes.ts';
import { IconKeyboard, IconLink, IconPalette, IconPlus, IconSearch, IconSignOut, IconUpload } from '../ui/icons.ts';
import { FURTHER_PAGES, NAVIGATION } from '../ui/pages.ts';

const FIND_LINKS = graphql(`
  query FindLinks($projectId: ID!, $search: String!) {
    links(projectId: $projectId, search: $search, limit: 6) {
      data {
        id
        shortUrl
        title
        destination
      }
    }
  }
`);

/** A short URL as somebody copied it, which may belong to another domain than the page shows. */
const FIND_BY_URL = graphql(`
  query FindLinkByUrl($projectId: ID!, $shortUrl: String!) {
    findLink(projectId: $projectId, shortUrl: $shortUrl) {
      id
      shortUrl
      title
      destination
    }
  }
`);

const DEBOUNCE_MS = 200;
/** Of hundreds of projects; further ones are found by their names. */
const MOST_PROJECTS = 20;

interface PaletteProps {
  openHelp: () => void;
  /** Grows each time that somebody asks for the palette. */
  calls: number;
}

/** Pages, actions, projects and links behind `Ctrl K`. Loaded when it is first asked for. */
export function Palette({ openHelp, calls }: PaletteProps) {
  const [query, setQuery] = useState('');
  useEffect(() => {
    if (calls > 0) spotlight.toggle();
  }, [calls]);
  const commands = useCommands(openHelp, query);
  const { groups: links, isSearching } = useFoundLinks(query);
  // Somebody who types most of a link wants the link.
  const groups = [...links, ...commands];
  return (
    <Spotlight
      shortcut={null}
      actions={groups}
      query={query}
      onQueryChange={setQuery}
      nothingFound={isSearching ? t.shell.palette.loading : t.shell.palette.nothing}
      highlightQuery
      scrollable
      maxHeight={420}
      clearQueryOnClose
      searchProps={{
        leftSection: <IconSearch size={18} aria-hidden />,
        placeholder: t.shell.palette.placeholder,
        'aria-label': t.shell.palette.placeholder,
      }}
    />
  );
}

function useCommands(openHelp: () => void, query: string): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { projects } = useSession();
  const project = useProject();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { isAllowed: mayWriteLinks } = useCan('links:write');
  const { isAllowed: mayWriteWebhooks } = useCan('webhooks:write');
  const words = query.trim().toLocaleLowerCase();
  return [
    {
      group: t.shell.palette.actions,
      actions: [
        ...(mayWriteLinks
          ? [
              {
                id: 'create',
                label: t.shell.createLink,
                leftSection: <IconPlus size={18} />,
                onClick: () => void navigate({ to: '/links/new' }),
              },
              {
                id: 'import',
                label: t.shell.importLinks,
                leftSection: <IconUpload size={18} />,
                onClick: () => void navigate({ to: '/imports/new' }),
              },
            ]
          : []),
        ...(mayWriteWebhooks
          ? [
              {
                id: 'webhook',
                label: t.shell.createWebhook,
                leftSection: <IconPlus size={18} />,
                onClick: () => void navigate({ to: '/webhooks/new' }),
              },
            ]
          : []),
        ...colorSchemes()
          .filter(([scheme]) => scheme !== colorScheme)
          .map(([scheme, label]) => ({
            id: `theme-${scheme}`,
            label: t.shell.palette.theme(label),
            leftSection: <IconPalette size={18} />,
            onClick: () => setColorScheme(scheme),
          })),
        { id: 'help', label: t.shell.shortcuts, leftSection: <IconKeyboard size={18} />, onClick: openHelp },
        {
          id: 'sign-out',
          label: t.shell.signOut,
          leftSection: <IconSignOut size={18} />,
          onClick: () => void signOut(),
        },
      ],
    },
    {
      group: t.shell.palette.pages,
      actions: [...NAVIGATION, ...FURTHER_PAGES].map(({ to, icon: Icon, name }) => ({
        id: to,
        label: t.shell.pages[name],
        leftSection: <Icon size={18} />,
        onClick: () => void navigate({ to }),
      })),
    },
    {
      group: t.shell.palette.projects,
      actions: projects
        .filter(({ id, name }) => id !== project?.id && name.toLocaleLowerCase().includes(words))
        .slice(0, MOST_PROJECTS)
        .map(({ id, name }) => ({
          id,
          label: name,
          onClick: () => void navigate({ to: '/', search: { project: id } }),
        })),
    },
  ];
}

function useFoundLinks(query: string): { groups: SpotlightActionGroupData[]; isSearching: boolean } {
  const navigate = useNavigate();
  const project = useProject();
  const typed = query.trim();
  const [search] = useDebouncedValue(typed, DEBOUNCE_MS);
  const projectId = project?.id ?? '';
  const isAsked = project !== null && search.length > 1;
  const isUrl = /^https?:\/\/\S+$/i.test(search);
  const found = useAsk({
    about: 'links',
    document: FIND_LINKS,
    variables: { projectId, search },
    isEnabled: isAsked,
    keepsEarlier: false,
  });
  const exact = useAsk({
    about: 'links',
    document: FIND_BY_URL,
    variables: { projectId, shortUrl: search },
    isEnabled: isAsked && isUrl,
    keepsEarlier: false,
  });
  const isSearching = typed.length > 1 && (typed !== search || found.isFetching || exact.isFetching);
  const byUrl = isUrl ? exact.data?.findLink : null;
  const rows = typed.length > 1 && isAsked ? (found.data?.links.data ?? []) : [];
  const links = byUrl ? [byUrl, ...rows.filter(({ id }) => id !== byUrl.id)] : rows;
  if (links.length === 0) return { groups: [], isSearching };
  const actions = links.map(({ id, shortUrl, title, destination }) => ({
    id,
    label: shortUrl,
    description: title ?? destination,
    // The server found it, whatever part of it has the words.
    keywords: query,
    leftSection: <IconLink size={18} />,
    onClick: () => void navigate({ to: '/links/$linkId', params: { linkId: id } }),
  }));
  return { groups: [{ group: t.shell.palette.links, actions }], isSearching };
}
