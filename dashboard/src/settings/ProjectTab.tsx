import { NumberInput, Select, Stack, Switch, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { formatExact } from '../kernel/numbers.ts';
import { useAsk, useChange } from '../kernel/queries.ts';
import { draftStore, useFormDraft } from '../kernel/useFormDraft.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { errorsOf } from '../ui/formErrors.ts';
import { Card } from '../ui/Page.tsx';
import { Problems } from '../ui/Problems.tsx';
import { toast } from '../ui/toasts.ts';
import { UnsavedWork } from '../ui/UnsavedWork.tsx';
import { type OneProject, UPDATE_PROJECT } from './operations.ts';
import { type ProjectDraft, projectForm } from './projectForm.ts';

/** Domains that new links can be on: pending ones serve nothing yet. */
const USABLE_DOMAINS = graphql(`
  query UsableDomains($projectId: ID!) {
    domains(projectId: $projectId, kind: link, limit: 100) {
      data {
        hostname
        status
      }
    }
  }
`);

/** Of the matching window in seconds; the server takes a minute to a day. */
const WINDOWS = [900, 3600, 7200, 21_600, 43_200, 86_400];

const FIELDS = ['name', 'defaultDomain', 'matchWindowSeconds', 'maxEventValue'];

/** Name, default domain and how installs are matched. */
export function ProjectTab({ project }: { project: OneProject }) {
  const texts = t.settings.project;
  const { service } = useSession();
  const { id, defaultDomain, matchWindowSeconds } = project;
  const form = useFormDraft(draftStore<ProjectDraft>(`project.${id}`), projectForm.draftOf(project));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { data } = useAsk({ about: 'domains', document: USABLE_DOMAINS, variables: { projectId: id } });
  const update = useChange({
    document: UPDATE_PROJECT,
    touches: ['projects', 'session', 'domains'],
    onDone: () => {
      form.forget();
      setErrors({});
      toast(t.settings.saved);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (form.draft.maxEventValue === '') return setErrors({ maxEventValue: t.common.rules.required() });
    form.toSend();
    const input = projectForm.changesOf(form.draft);
    update.mutate({ id, input }, { onError: (error) => setErrors(errorsOf(error, FIELDS)) });
  };
  const own = data?.domains.data.filter(({ status }) => status !== 'pending').map(({ hostname }) => hostname) ?? [];
  const hosts = [...new Set([...own, ...(defaultDomain ? [defaultDomain] : [])])];
  const windows = [...new Set([...WINDOWS, matchWindowSeconds])].sort((a, b) => a - b);
  return (
    <Card>
      <form onSubmit={submit} noValidate>
        <UnsavedWork form={form} onDiscard={form.reset} />
        <Stack>
          <TextInput
            label={texts.name}
            required
            maxLength={100}
            value={form.draft.name}
            error={errors.name}
            onChange={(event) => form.change({ name: event.currentTarget.value })}
          />
          <Select
            label={texts.defaultDomain}
            description={texts.defaultDomainHint}
            data={[
              { value: '', label: texts.serviceDomain(service.linkDomain) },
              ...hosts.filter((host) => host !== service.linkDomain).map((host) => ({ value: host, label: host })),
            ]}
            value={form.draft.defaultDomain === service.linkDomain ? '' : form.draft.defaultDomain}
            allowDeselect={false}
            error={errors.defaultDomain}
            onChange={(value) => form.change({ defaultDomain: value ?? '' })}
          />
          <Select
            label={texts.matchWindow}
            description={texts.matchWindowHint}
            data={windows.map((seconds) => ({ value: String(seconds), label: lengthOf(seconds) }))}
            value={form.draft.matchWindowSeconds}
            allowDeselect={false}
            error={errors.matchWindowSeconds}
            onChange={(value) => form.change({ matchWindowSeconds: value ?? form.draft.matchWindowSeconds })}
          />
          <Switch
            label={texts.probabilistic}
            description={texts.probabilisticHint}
            checked={form.draft.probabilisticMatching}
            onChange={(event) => form.change({ probabilisticMatching: event.currentTarget.checked })}
          />
          <NumberInput
            label={texts.maxEventValue}
            description={texts.maxEventValueHint}
            min={0}
            max={1e12}
            thousandSeparator=" "
            value={form.draft.maxEventValue}
            error={errors.maxEventValue}
            onChange={(value) => form.change({ maxEventValue: String(value) })}
          />
          <Problems messages={errors[''] ? [errors['']] : []} />
          <div>
            <GuardedButton scope="projects:write" type="submit" disabled={!form.isChanged} loading={update.isPending}>
              {texts.save}
            </GuardedButton>
          </div>
        </Stack>
      </form>
    </Card>
  );
}

function lengthOf(seconds: number): string {
  const texts = t.settings.project;
  if (seconds % 3600 === 0) return texts.hours(formatExact(seconds / 3600), seconds / 3600);
  return seconds % 60 === 0 ? texts.minutes(formatExact(seconds / 60)) : texts.seconds(formatExact(seconds));
}
