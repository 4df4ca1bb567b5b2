import { useNavigate, useSearch } from '@tanstack/react-router';
import { type AnalyticsSearch, AnalyticsView, LiveClicks } from '../../analytics/public.ts';
import type { OneLink } from './LinkPage.tsx';

/** The figures of the link alone. */
export function AnalyticsTab({ link }: { link: OneLink }) {
  const { tab, ...search } = useSearch({ from: '/shell/links/$linkId' });
  const navigate = useNavigate({ from: '/links/$linkId' });
  return (
    <>
      <LiveClicks projectId={link.projectId} linkId={link.id} />
      <AnalyticsView
        projectId={link.projectId}
        search={search as AnalyticsSearch}
        onSearch={(changed) => void navigate({ search: (earlier) => ({ ...earlier, ...changed }), replace: true })}
        fixed={{ link: link.id }}
      />
    </>
  );
}
