import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Page } from '../ui/Page.tsx';
import { AnalyticsView } from './AnalyticsView.tsx';
import { LiveClicks } from './LiveClicks.tsx';
import type { AnalyticsSearch } from './query.ts';

export function AnalyticsPage() {
  const projectId = useProjectId();
  const search: AnalyticsSearch = useSearch({ from: '/shell/analytics' });
  const navigate = useNavigate({ from: '/analytics' });
  return (
    <Page title={t.analytics.title} actions={<Link to="/analytics/unknown-links">{t.analytics.unknownLinks}</Link>}>
      <AnalyticsView
        projectId={projectId}
        search={search}
        onSearch={(changed) => void navigate({ search: (earlier) => ({ ...earlier, ...changed }), replace: true })}
      />
      <LiveClicks projectId={projectId} />
    </Page>
  );
}
