import { Link } from '@tanstack/react-router';
import { graphql, type ResultOf } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { Card } from '../ui/Page.tsx';
import { RecordTable } from '../ui/RecordTable.tsx';
import { LOOKS, StateChip } from '../ui/StateChip.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';
import { Time } from '../ui/Time.tsx';
import styles from './apps.module.css';
import { LOADED } from './match/report.ts';

const SETUP = graphql(`
  query AppSetup($projectId: ID!) {
    project(id: $projectId) {
      apps {
        ... on IosApp {
          platform
          bundleId
        }
        ... on AndroidApp {
          platform
          package
        }
      }
    }
    health(projectId: $projectId) {
      checkedAt
      checks {
        name
        status
        message
      }
    }
  }
`);

type Check = ResultOf<typeof SETUP>['health']['checks'][number];
type CheckName = keyof typeof t.apps.setup.checks;

/** The health checks that concern an app, in the order in which somebody sets it up. */
const CHECKS: Record<'ios' | 'android', readonly CheckName[]> = {
  ios: ['apple_app_site_association', 'store_pages', 'publishable_key'],
  android: ['asset_links', 'store_pages', 'publishable_key'],
};

/** For each app what its set-up still needs. The checks are those of the project: their messages name the apps. */
export function AppSetup({ projectId }: { projectId: string }) {
  const { setup } = t.apps;
  const { data, error, refetch } = useAsk({ about: 'health', document: SETUP, variables: { projectId } });
  if (!data) {
    return (
      <Card title={setup.title}>{error ? <ErrorState error={error} retry={refetch} /> : <LoadingRows rows={3} />}</Card>
    );
  }
  const { apps } = data.project;
  const { checkedAt, checks } = data.health;
  return (
    <>
      {apps.map((app) => {
        const name = 'bundleId' in app ? app.bundleId : app.package;
        const names: readonly string[] = CHECKS[app.platform === 'ios' ? 'ios' : 'android'];
        const rows = checks.filter((check) => names.includes(check.name));
        return (
          <Card
            key={`${app.platform} ${name}`}
            title={`${setup.title}: ${name} (${setup.platforms[app.platform]})`}
            isFlush
            actions={
              <Link to="/settings" search={{ tab: 'apps', app: name }} aria-label={setup.settings(name)}>
                {setup.edit}
              </Link>
            }
          >
            <CheckRows app={name} rows={rows.toSorted((a, b) => names.indexOf(a.name) - names.indexOf(b.name))} />
          </Card>
        );
      })}
      <div className={styles.soft}>
        {checkedAt === null ? (
          setup.notChecked
        ) : (
          <>
            {setup.checked} <Time at={checkedAt} />
          </>
        )}
      </div>
    </>
  );
}

function CheckRows({ app, rows }: { app: string; rows: readonly Check[] }) {
  const { setup } = t.apps;
  return (
    <RecordTable
      label={`${setup.title}: ${app}`}
      rows={rows}
      keyOf={({ name }) => name}
      query={LOADED}
      empty={null}
      columns={[
        { title: setup.check, isWords: true, cell: ({ name }) => checkName(name) },
        {
          title: setup.state,
          cell: ({ status }) => <StateChip look={LOOKS.check[status]}>{t.states.check[status]}</StateChip>,
        },
        { title: setup.found, cell: (check) => <Found check={check} /> },
        {
          title: setup.details,
          cell: ({ name }) => (
            <Link to="/health" search={{ check: name }} aria-label={setup.detailsOf(checkName(name))}>
              {setup.details}
            </Link>
          ),
        },
      ]}
    />
  );
}

/** Checks that are skipped where there is no app at all: that is what the last run found. */
const NEEDED: readonly string[] = ['apple_app_site_association', 'asset_links', 'publishable_key'];

function Found({ check: { name, status, message } }: { check: Check }) {
  if (status === 'skip' && NEEDED.includes(name)) return t.apps.setup.stale;
  return <span lang="en">{message}</span>;
}

function checkName(name: string): string {
  return t.apps.setup.checks[name as CheckName] ?? name;
}
