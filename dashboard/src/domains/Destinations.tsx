import { Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { draftStore, useFormDraft } from '../kernel/useFormDraft.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { errorsOf } from '../ui/formErrors.ts';
import { Card } from '../ui/Page.tsx';
import { Problems } from '../ui/Problems.tsx';
import { toast } from '../ui/toasts.ts';
import { UnsavedWork } from '../ui/UnsavedWork.tsx';
import { type DestinationsDraft, destinationsForm } from './destinationsForm.ts';
import type { OneDomain } from './operations.ts';

const UPDATE_DOMAIN = graphql(`
  mutation UpdateDomain($id: ID!, $input: UpdateDomainInput!) {
    updateDomain(id: $id, input: $input) {
      id
    }
  }
`);

const FIELDS = ['root', 'notFound', 'expired'] as const;
const SHOWN = FIELDS.map((field) => `${field}Destination` as const);

/** What is written of the destinations of a domain and not saved yet. */
export const draftOfDestinations = (domainId: string) => draftStore<DestinationsDraft>(`domain.${domainId}`);

/** Where visitors go for whom there is no link. */
export function Destinations({ domain }: { domain: OneDomain }) {
  const texts = t.domains.destinations;
  const form = useFormDraft(draftOfDestinations(domain.id), destinationsForm.draftOf(domain));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const update = useChange({
    document: UPDATE_DOMAIN,
    touches: ['domains'],
    onDone: () => {
      form.forget();
      setErrors({});
      toast(texts.saved);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    form.toSend();
    const input = destinationsForm.changesOf(form.draft);
    update.mutate({ id: domain.id, input }, { onError: (error) => setErrors(errorsOf(error, SHOWN)) });
  };
  return (
    <Card title={texts.title}>
      <form onSubmit={submit} noValidate>
        <UnsavedWork form={form} onDiscard={form.reset} />
        <Stack>
          <div>{texts.about}</div>
          {FIELDS.map((field) => (
            <TextInput
              key={field}
              label={texts[field]}
              description={texts[`${field}Hint`]}
              placeholder="https://"
              inputMode="url"
              autoComplete="off"
              spellCheck={false}
              value={form.draft[`${field}Destination`]}
              error={errors[`${field}Destination`]}
              onChange={(event) => form.change({ [`${field}Destination`]: event.currentTarget.value })}
            />
          ))}
          <Problems messages={errors[''] ? [errors['']] : []} />
          <div>
            <GuardedButton scope="domains:write" type="submit" disabled={!form.isChanged} loading={update.isPending}>
              {texts.save}
            </GuardedButton>
          </div>
        </Stack>
      </form>
    </Card>
  );
}
