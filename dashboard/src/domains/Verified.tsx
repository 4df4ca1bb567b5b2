import { Alert } from '@mantine/core';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProject } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { IconCheck } from '../ui/icons.ts';
import { toast, toastError } from '../ui/toasts.ts';
import type { OneDomain } from './operations.ts';

const SET_DEFAULT = graphql(`
  mutation SetDefaultDomain($id: ID!, $input: UpdateProjectInput!) {
    updateProject(id: $id, input: $input) {
      id
    }
  }
`);

/** The domain works; a step from here new links are on it. */
export function Verified({ domain }: { domain: OneDomain }) {
  const project = useProject();
  const { verified } = t.domains;
  const change = useChange({
    document: SET_DEFAULT,
    touches: ['session', 'domains'],
    onDone: () => toast(verified.madeDefault(domain.unicodeHostname)),
  });
  const isDefault = project?.defaultDomain === domain.hostname;
  return (
    <Alert color="green" variant="light" icon={<IconCheck size={18} />} title={verified.title(domain.unicodeHostname)}>
      <p>{domain.kind === 'link' ? verified.body : verified.bodyWeb}</p>
      {domain.kind === 'web' ? null : isDefault ? (
        t.domains.isDefault
      ) : (
        <GuardedButton
          scope="projects:write"
          variant="default"
          loading={change.isPending}
          onClick={() =>
            change.mutate({ id: domain.projectId, input: { defaultDomain: domain.hostname } }, { onError: toastError })
          }
        >
          {verified.makeDefault}
        </GuardedButton>
      )}
    </Alert>
  );
}
