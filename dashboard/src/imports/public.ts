import { lazy } from 'react';

/** Nothing to load until an import goes on. */
export const WatchedImports = lazy(() =>
  import('./WatchedImports.tsx').then(({ WatchedImports }) => ({ default: WatchedImports })),
);
export { useWatchedImports } from './watched.ts';
