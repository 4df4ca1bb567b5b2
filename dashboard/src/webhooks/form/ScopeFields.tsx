import { Select } from '@mantine/core';
import { graphql } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';
import { LinkSelect } from '../../links/public.ts';
import { useCan } from '../../session/permissions.ts';
import { useProjectId } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { SampleEvent } from './SampleEvent.tsx';
import type { WebhookFieldsProps } from './WebhookFields.tsx';
import { SCOPE_KINDS, type ScopeKind } from './webhookValues.ts';

const TAG_IDS = graphql(`
  query TagIds($projectId: ID!) {
    tags(projectId: $projectId, limit: 100) {
      data {
        id
        name
      }
    }
  }
`);

/** An example of what is sent, and of which links: for a webhook of less than the whole project. */
export function ScopeFields({ values, change, errors, isNew }: WebhookFieldsProps) {
  const projectId = useProjectId();
  const { data } = useAsk({ about: 'tags', document: TAG_IDS, variables: { projectId } });
  const { scope } = t.webhooks;
  const { isAllowed } = useCan('team:manage');
  // Owners and admins alone make webhooks of the whole team.
  const isOffered = (kind: ScopeKind) =>
    isNew ? kind !== 'team' || isAllowed : (kind === 'team') === (values.scope === 'team');
  const kinds = SCOPE_KINDS.filter(isOffered);
  return (
    <>
      <SampleEvent />
      <Select
        label={scope.label}
        data={kinds.map((value) => ({ value, label: scope[value] }))}
        value={values.scope}
        allowDeselect={false}
        error={values.scope === 'link' || values.scope === 'tag' ? undefined : errors.scope}
        onChange={(value) => change({ scope: (value ?? values.scope) as ScopeKind })}
      />
      {values.scope === 'link' ? (
        <LinkSelect linkId={values.linkId} error={errors.scope} onChange={(linkId) => change({ linkId })} />
      ) : null}
      {values.scope === 'tag' ? (
        <Select
          label={scope.tagName}
          searchable
          data={data?.tags.data.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          required
          error={errors.scope}
          value={values.tagId || null}
          onChange={(tagId) => change({ tagId: tagId ?? '' })}
        />
      ) : null}
    </>
  );
}
