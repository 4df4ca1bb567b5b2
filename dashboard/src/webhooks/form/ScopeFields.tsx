import { Select } from '@mantine/core';
import { graphql } from '../../kernel/graphql.ts';
import { useAsk } from '../../kernel/queries.ts';
import { LinkSelect } from '../../links/public.ts';
import { useCan } from '../../session/permissions.ts';
import { useProjectId } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import { SampleEvent } from './SampleEvent.tsx';
import type { WebhookFieldsProps } from './WebhookFields.tsx';
import { SCOPE_KINDS, type ScopeKind, type WebhookDraft } from './webhookForm.ts';

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
export function ScopeFields({ values, change, errors, isNew, tag }: WebhookFieldsProps) {
  const projectId = useProjectId();
  const { data } = useAsk({ about: 'tags', document: TAG_IDS, variables: { projectId } });
  const { scope: texts } = t.webhooks;
  const { isAllowed } = useCan('team:manage');
  const { kind, linkId, tagId } = values.scope;
  const set = (changed: Partial<WebhookDraft['scope']>) => change({ scope: { ...values.scope, ...changed } });
  // Also one that is not among those that are offered.
  const tags = new Map([...(tag ? [tag] : []), ...(data?.tags.data ?? [])].map((one) => [one.id, one.name]));
  // Owners and admins alone make webhooks of the whole team.
  const isOffered = (one: ScopeKind) => (isNew ? one !== 'team' || isAllowed : (one === 'team') === (kind === 'team'));
  const kinds = SCOPE_KINDS.filter(isOffered);
  return (
    <>
      <SampleEvent />
      <Select
        label={texts.label}
        data={kinds.map((value) => ({ value, label: texts[value] }))}
        value={kind}
        allowDeselect={false}
        error={kind === 'link' || kind === 'tag' ? undefined : errors.scope}
        onChange={(value) => set({ kind: (value ?? kind) as ScopeKind })}
      />
      {kind === 'link' ? (
        <LinkSelect linkId={linkId} error={errors.scope} onChange={(chosen) => set({ linkId: chosen })} />
      ) : null}
      {kind === 'tag' ? (
        <Select
          label={texts.tagName}
          searchable
          data={[...tags].map(([value, label]) => ({ value, label }))}
          required
          error={errors.scope}
          value={tagId || null}
          onChange={(chosen) => set({ tagId: chosen ?? '' })}
        />
      ) : null}
    </>
  );
}
