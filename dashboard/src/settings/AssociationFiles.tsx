import { Alert, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useAsk } from '../kernel/queries.ts';
import { t } from '../texts/index.ts';
import { Code } from '../ui/Code.tsx';
import { IconInfo } from '../ui/icons.ts';
import { Card } from '../ui/Page.tsx';
import { ErrorState, LoadingRows } from '../ui/states.tsx';

const FILES = graphql(`
  query AssociationFiles($projectId: ID!, $host: String) {
    project(id: $projectId) {
      associationFiles(host: $host) {
        host
        appleUrl
        apple
        androidUrl
        android
        problem
      }
    }
    domains(projectId: $projectId, kind: link, limit: 100) {
      data {
        hostname
        status
      }
    }
    service {
      linkDomain
    }
  }
`);

/** The files that phones load from a link domain, as they are served there. */
export function AssociationFiles({ projectId }: { projectId: string }) {
  const { files } = t.settings;
  const [host, setHost] = useState<string | null>(null);
  const { data, error, refetch } = useAsk({ about: 'apps', document: FILES, variables: { projectId, host } });
  if (!data) {
    // Of the domain that was chosen, or again of that which is shown first.
    const retry = () => (host === null ? refetch() : setHost(null));
    return <Card title={files.title}>{error ? <ErrorState error={error} retry={retry} /> : <LoadingRows />}</Card>;
  }
  const { associationFiles: served } = data.project;
  const own = data.domains.data.filter(({ status }) => status !== 'pending').map(({ hostname }) => hostname);
  const hosts = [...new Set([data.service.linkDomain, ...own, served.host])];
  return (
    <Card title={files.title}>
      <Stack>
        <div>{files.about}</div>
        {hosts.length > 1 ? (
          <Select label={files.domain} data={hosts} value={served.host} allowDeselect={false} onChange={setHost} />
        ) : null}
        {served.problem ? (
          <Alert color="yellow" variant="light" icon={<IconInfo size={18} />}>
            <span lang="en">{served.problem}</span>
          </Alert>
        ) : null}
        <ServedFile title={files.apple} url={served.appleUrl} text={served.apple} />
        <ServedFile title={files.android} url={served.androidUrl} text={served.android} />
      </Stack>
    </Card>
  );
}

function ServedFile({ title, url, text }: { title: string; url: string; text: string | null }) {
  const { files } = t.settings;
  return (
    <div>
      <h3>{title}</h3>
      <p>
        <code>{url}</code>
      </p>
      {text === null ? files.none : <Code text={text} what={files.what(url)} language="json" />}
    </div>
  );
}
