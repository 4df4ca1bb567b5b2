import { useParams } from '@tanstack/react-router';
import { codeOf } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Facts } from '../ui/Facts.tsx';
import { Card, Page } from '../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import { DeleteInstall } from './DeleteInstall.tsx';
import { InstallLink, MatchChip, shownId } from './installCells.tsx';
import { ClickedLink } from './match/ClickedLink.tsx';
import { MatchPicture } from './match/MatchPicture.tsx';
import { MATCH_REPORT } from './match/report.ts';
import { Timeline } from './Timeline.tsx';
import { LISTED, TIMELINE } from './timelineOf.ts';
import { useInstallPlace } from './useInstallPlace.ts';

const INSTALL = graphql(
  `
    query Install($projectId: ID!, $id: ID!, $limit: Int) {
      install(projectId: $projectId, id: $id) {
        id
        installId
        platform
        appVersion
        osVersion
        matchRevisedAt
        linkId
        link {
          id
          shortUrl
        }
        ...Timeline
      }
      installMatch(projectId: $projectId, id: $id) {
        ...MatchReport
      }
    }
  `,
  [MATCH_REPORT, TIMELINE],
);

/** One app on one device: what happened, and why it was traced back to a link or was not. */
export function InstallPage() {
  const projectId = useProjectId();
  const { installId: id } = useParams({ from: '/shell/apps/installs/$installId' });
  const { data, error, refetch } = useAsk({
    about: 'apps',
    document: INSTALL,
    variables: { projectId, id, limit: LISTED },
    keepsEarlier: false,
  });
  const isMissing = codeOf(error) === 'not_found';
  const isInPlace = useInstallPlace(id, isMissing ? false : data && true);
  if (!data) {
    return (
      <Page title={t.apps.installs.install} back="/apps/installs">
        {error && isInPlace ? <ErrorState error={error} retry={refetch} /> : <LoadingRows />}
      </Page>
    );
  }
  const { install, installMatch: report } = data;
  const { facts } = t.apps.install;
  const { platforms } = t.apps.setup;
  const { match } = report;
  return (
    <Page
      title={t.apps.install.title(shownId(install.installId))}
      back="/apps/installs"
      actions={<DeleteInstall projectId={projectId} id={install.id} />}
    >
      <Card>
        <Facts
          facts={[
            { name: facts.match, value: <MatchChip match={match} /> },
            { name: facts.method, value: match.matched ? t.link.installs.methods[match.method] : null },
            { name: facts.link, value: install.linkId ? <InstallLink install={install} /> : null },
            { name: facts.at, value: <Time at={install.firstOpenedAt} /> },
            {
              name: facts.platform,
              value: install.osVersion
                ? t.apps.installs.system(platforms[install.platform], install.osVersion)
                : platforms[install.platform],
            },
            { name: facts.appVersion, value: install.appVersion },
            { name: facts.uuid, value: <code>{install.installId}</code>, isWide: true },
          ]}
        />
      </Card>
      <Card title={t.apps.install.timeline}>
        <Timeline install={install} />
      </Card>
      <MatchPicture
        report={report}
        title={match.matched ? t.apps.install.match : t.apps.install.noMatch}
        ageOf={({ clickedAt }) => Date.parse(install.firstOpenedAt) - Date.parse(clickedAt)}
        nameOf={(candidate) => <ClickedLink candidate={candidate} />}
      />
    </Page>
  );
}
