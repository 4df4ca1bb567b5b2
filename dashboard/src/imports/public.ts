import { onDemand } from '../ui/onDemand.tsx';

/** Nothing to load until an import goes on. */
export const WatchedImports = onDemand(() =>
  import('./WatchedImports.tsx').then(({ WatchedImports }) => WatchedImports),
);
export { useWatchedImports } from './watched.ts';
