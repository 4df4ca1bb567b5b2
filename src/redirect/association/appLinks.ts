import type { App, IosApp } from '../../models/Project.ts';

interface Component {
  '/': string;
  exclude?: true;
  comment?: string;
}

/** What iOS asks for Universal Links: which apps open which paths. Null without iOS apps. */
export function appLinks(apps: readonly App[]): object | null {
  const ios = apps.filter((app): app is IosApp => app.platform === 'ios');
  if (ios.length === 0) return null;
  const appIDs = [...new Set(ios.map(({ team_id, bundle_id }) => `${team_id}.${bundle_id}`))];
  return { applinks: { details: [{ appIDs, components: COMPONENTS }] } };
}

/** The first that fits a path decides. */
const COMPONENTS: Component[] = [
  ...['/', '/.well-known/*', '/apple-app-site-association'].map(excluded),
  { ...excluded('/*+'), comment: 'Shows where a link leads.' },
  { '/': '/*' },
];

function excluded(path: string): Component {
  return { '/': path, exclude: true };
}
