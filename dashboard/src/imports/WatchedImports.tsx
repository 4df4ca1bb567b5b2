import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { formatExact } from '../kernel/numbers.ts';
import { refresh, useAsk } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { toast } from '../ui/toasts.ts';
import { IMPORT, isUnderWay, type OneImport, POLL_MS } from './operations.ts';
import { unwatchImport, useWatchedImports } from './watched.ts';

/** Says on any page when an import that was begun in this tab has ended. */
export function WatchedImports() {
  return useWatchedImports().map((id) => <WatchedImport key={id} id={id} />);
}

function WatchedImport({ id }: { id: string }) {
  const navigate = useNavigate();
  const isShown = useRouterState({ select: ({ location }) => location.pathname.endsWith(`/imports/${id}`) });
  const { data, error } = useAsk({
    about: 'imports',
    document: IMPORT,
    variables: { id },
    keepsEarlier: false,
    pollMs: POLL_MS,
  });
  const one = data?.import;
  const hasEnded = error !== null || (one !== undefined && !isUnderWay(one));
  useEffect(() => {
    if (!hasEnded) return;
    unwatchImport(id);
    if (!one || one.status === 'cancelled') return;
    if (!one.dryRun) void refresh(['links', 'tags']);
    const open = () => void navigate({ to: '/imports/$importId', params: { importId: id } });
    toast(sentenceOf(one), isShown ? undefined : { label: t.common.imports.show, run: open });
  }, [hasEnded]);
  return null;
}

function sentenceOf({ status, dryRun, counts }: OneImport): string {
  if (status !== 'finished') return dryRun ? t.common.imports.checkFailed : t.common.imports.importFailed;
  const [written, failed] = [formatExact(counts.created + counts.updated), formatExact(counts.failed)];
  return dryRun ? t.common.imports.checkDone(written, failed) : t.common.imports.importDone(written, failed);
}
