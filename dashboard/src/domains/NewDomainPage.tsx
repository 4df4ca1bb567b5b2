import { Radio, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { graphql } from '../kernel/graphql.ts';
import { useChange } from '../kernel/queries.ts';
import { draftStore, useFormDraft } from '../kernel/useFormDraft.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProjectId } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { FIRST_FIELD } from '../ui/firstField.ts';
import { errorsOf } from '../ui/formErrors.ts';
import { Card, Page } from '../ui/Page.tsx';
import { Problems } from '../ui/Problems.tsx';
import { UnsavedWork } from '../ui/UnsavedWork.tsx';

const CREATE_DOMAIN = graphql(`
  mutation CreateDomain($input: CreateDomainInput!) {
    createDomain(input: $input) {
      id
    }
  }
`);

const KINDS = ['link', 'web'] as const;
interface Values {
  hostname: string;
  kind: (typeof KINDS)[number];
}
const EMPTY: Values = { hostname: '', kind: 'link' };

/** A new domain; its page then says which records to set. */
export function NewDomainPage() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const form = useFormDraft(draftStore<Values>(`domains.new.${projectId}`), EMPTY);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const create = useChange({
    document: CREATE_DOMAIN,
    touches: ['domains', 'setup'],
    onDone: ({ createDomain: { id } }) => {
      form.forget();
      void navigate({ to: '/domains/$domainId', params: { domainId: id }, ignoreBlocker: true });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const input = { projectId, hostname: form.draft.hostname.trim(), kind: form.draft.kind };
    create.mutate({ input }, { onError: (error) => setErrors(errorsOf(error, ['hostname'])) });
  };
  const texts = t.domains.form;
  const ascii = asciiOf(form.draft.hostname);
  const isOther = ascii !== null && ascii !== form.draft.hostname.trim().toLowerCase();
  const isApex = form.draft.kind === 'link' && ascii?.split('.').length === 2;
  return (
    <Page title={t.domains.new} back="/domains">
      <UnsavedWork form={form} onDiscard={form.reset} />
      <Card>
        <form onSubmit={submit} noValidate>
          <Stack>
            <TextInput
              label={texts.hostname}
              description={texts.hostnameHint}
              placeholder={texts.placeholder}
              inputMode="url"
              autoCapitalize="none"
              autoComplete="off"
              spellCheck={false}
              required
              {...FIRST_FIELD}
              value={form.draft.hostname}
              error={errors.hostname}
              onChange={(event) => form.change({ hostname: event.currentTarget.value })}
            />
            {isOther ? <div role="status">{texts.ascii(ascii)}</div> : null}
            {isApex ? <div role="status">{texts.apex}</div> : null}
            <Radio.Group
              label={texts.kind}
              value={form.draft.kind}
              onChange={(kind) => form.change({ kind: kind as Values['kind'] })}
            >
              <Stack gap={6} mt={6}>
                {KINDS.map((kind) => (
                  <Radio key={kind} value={kind} label={t.domains.kinds[kind]} description={texts.kindAbouts[kind]} />
                ))}
              </Stack>
            </Radio.Group>
            <Problems messages={errors[''] ? [errors['']] : []} />
            <div>
              <GuardedButton scope="domains:write" type="submit" loading={create.isPending}>
                {texts.action}
              </GuardedButton>
            </div>
          </Stack>
        </form>
      </Card>
    </Page>
  );
}

/** The name as DNS has it; null where it is none. */
function asciiOf(name: string): string | null {
  if (!/^[^\s/:@?#]+\.[^\s/:@?#]+$/.test(name.trim())) return null;
  return URL.canParse(`https://${name.trim()}`) ? new URL(`https://${name.trim()}`).hostname : null;
}
