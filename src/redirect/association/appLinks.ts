import { baseHost } from '../../kernel/origins.ts';
import { RESERVED_SEGMENTS } from '../../kernel/ownPaths.ts';
import type { App, IosApp } from '../../models/Project.ts';

interface Component {
  '/': string;
  exclude?: true;
  comment?: string;
}

/** What iOS asks for Universal Links: which apps open which paths. Null without iOS apps. */
export function appLinks(apps: readonly App[], hostname: string): object | null {
  const ios = apps.filter((app): app is IosApp => app.platform === 'ios');
  if (ios.length === 0) return null;
  const appIDs = [...new Set(ios.map(({ team_id, bundle_id }) => `${team_id}.${bundle_id}`))];
  return { applinks: { details: [{ appIDs, components: componentsOf(hostname) }] } };
}

/** The first that fits a path decides. */
function componentsOf(hostname: string): Component[] {
  const own =
    hostname === baseHost() ? [...RESERVED_SEGMENTS].flatMap((segment) => [`/${segment}`, `/${segment}/*`]) : [];
  return [
    ...['/', '/.well-known/*', '/apple-app-site-association', ...own].map(excluded),
    { ...excluded('/*+'), comment: 'Shows where a link leads.' },
    { '/': '/*' },
  ];
}

function excluded(path: string): Component {
  return { '/': path, exclude: true };
}
