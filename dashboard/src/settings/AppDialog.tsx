import { Stack, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { GraphqlError } from '../kernel/GraphqlError.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Problems } from '../ui/Problems.tsx';
import { toast } from '../ui/toasts.ts';
import type { EditedApp } from './AppsTab.tsx';
import { type AppDraft, draftOfApp, withApp } from './appForm.ts';
import { fingerprintsIn } from './fingerprints.ts';
import type { OneProject } from './operations.ts';
import { useAppsChange } from './useAppsChange.ts';

interface AppDialogProps {
  project: OneProject;
  edited: EditedApp | null;
  onClose: () => void;
}

/** The form of one app of a project, new or not. */
export function AppDialog({ project, edited, onClose }: AppDialogProps) {
  const texts = t.settings.apps;
  return (
    <Dialog
      opened={edited !== null}
      onClose={onClose}
      title={edited ? (edited.at === null ? texts.add[edited.platform] : texts.platform[edited.platform]) : ''}
      size="lg"
    >
      {edited ? <Form project={project} edited={edited} onClose={onClose} /> : null}
    </Dialog>
  );
}

/** The field of the form that the API means. */
const FIELDS: Record<string, keyof AppDraft> = {
  bundle_id: 'bundleId',
  team_id: 'teamId',
  app_store_id: 'appStoreId',
  package: 'package',
  sha256_fingerprints: 'sha256Fingerprints',
  scheme: 'scheme',
};

function Form({ project, edited: { platform, at }, onClose }: AppDialogProps & { edited: EditedApp }) {
  const texts = t.settings.apps;
  const [values, setValues] = useState(() => draftOfApp(project, at, platform));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const { change: changeApps, isPending } = useAppsChange(() => {
    toast(texts.saved);
    onClose();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    let sent = 0;
    void changeApps({
      projectId: project.id,
      edit: (now) => {
        const { apps, place } = withApp(now, values);
        sent = place;
        return apps;
      },
      onError: (error) => setErrors(problemsOf(error, sent)),
    });
  };
  const change = (changed: Partial<AppDraft>) => setValues({ ...values, ...changed });
  const field = (name: Exclude<keyof AppDraft, 'origin' | 'sha256Fingerprints'>, isRequired = false) => (
    <TextInput
      label={texts[name]}
      description={texts[`${name}Hint`]}
      required={isRequired}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      value={values[name]}
      error={errors[name]}
      onChange={(event) => change({ [name]: event.currentTarget.value })}
    />
  );
  const found = fingerprintsIn(values.sha256Fingerprints);
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        {platform === 'ios' ? (
          <>
            {field('bundleId', true)}
            {field('teamId', true)}
            {field('appStoreId')}
          </>
        ) : (
          <>
            {field('package', true)}
            <Textarea
              label={texts.fingerprint}
              description={texts.fingerprintHint}
              required
              rows={3}
              spellCheck={false}
              value={values.sha256Fingerprints}
              error={errors.sha256Fingerprints}
              onChange={(event) => change({ sha256Fingerprints: event.currentTarget.value })}
            />
            <div role="status">
              {found.length > 0 ? (
                <>
                  {texts.found(found.length)}
                  {found.map((one) => (
                    <div key={one}>
                      <code>{one}</code>
                    </div>
                  ))}
                </>
              ) : values.sha256Fingerprints.trim() ? (
                texts.noneFound
              ) : null}
            </div>
          </>
        )}
        {field('scheme')}
        <Problems messages={errors[''] ? [errors['']] : []} />
        <div>
          <GuardedButton scope="projects:write" type="submit" loading={isPending}>
            {texts.save}
          </GuardedButton>
        </div>
      </Stack>
    </form>
  );
}

/** Messages by field of this app; what belongs to none is under `''`. */
function problemsOf(error: Error, place: number): Record<string, string> {
  const fields = error instanceof GraphqlError ? error.fields : [];
  const own = fields.map(({ path, message }): [string, string] => {
    const [, name = ''] = new RegExp(`apps\\.${place}\\.(\\w+)`).exec(path) ?? [];
    return [FIELDS[name] ?? '', message];
  });
  return own.length > 0 ? Object.fromEntries(own) : { '': error.message };
}
