import { Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx';
import { Facts } from '../ui/Facts.tsx';
import { IconPlus } from '../ui/icons.ts';
import { dialogOnDemand } from '../ui/onDemand.tsx';
import { Card } from '../ui/Page.tsx';
import { EmptyState } from '../ui/states.tsx';
import { toast, toastError } from '../ui/toasts.ts';
import { AssociationFiles } from './AssociationFiles.tsx';
import { type AppPlatform, appsOf, nameOf, withoutApp } from './appForm.ts';
import type { OneProject, ProjectApp } from './operations.ts';
import { useAppsChange } from './useAppsChange.ts';

const AppDialog = dialogOnDemand(
  () => import('./AppDialog.tsx').then(({ AppDialog }) => AppDialog),
  ({ edited }) => edited !== null,
);

/** Which app is being edited: one of the list, or a new one. */
export type EditedApp = { platform: AppPlatform; at: number | null };

/** The apps that links open, and the files that tell phones so. */
export function AppsTab({ project }: { project: OneProject }) {
  const texts = t.settings.apps;
  const [edited, setEdited] = useState<EditedApp | null>(null);
  const buttons = (['ios', 'android'] as const).map((platform) => (
    <GuardedButton
      key={platform}
      scope="projects:write"
      variant="default"
      leftSection={<IconPlus size={16} />}
      onClick={() => setEdited({ platform, at: null })}
    >
      {texts.add[platform]}
    </GuardedButton>
  ));
  return (
    <>
      {project.apps.length === 0 ? (
        <Card>
          <EmptyState title={texts.empty} body={texts.about} actions={<Group>{buttons}</Group>} />
        </Card>
      ) : (
        <>
          {project.apps.map((app, at) => (
            <AppCard
              key={nameOf(app) + app.platform}
              project={project}
              app={app}
              at={at}
              onEdit={() => setEdited({ platform: 'bundleId' in app ? 'ios' : 'android', at })}
            />
          ))}
          <Group>{buttons}</Group>
          <AssociationFiles projectId={project.id} />
        </>
      )}
      <AppDialog project={project} edited={edited} onClose={() => setEdited(null)} />
    </>
  );
}

interface AppCardProps {
  project: OneProject;
  app: ProjectApp;
  /** Its place in the list. */
  at: number;
  onEdit: () => void;
}

function AppCard({ project, app, at, onEdit }: AppCardProps) {
  const texts = t.settings.apps;
  const [isRemoving, setIsRemoving] = useState(false);
  const name = nameOf(app);
  const { change, isPending } = useAppsChange(() => {
    setIsRemoving(false);
    toast(texts.removed);
  });
  const remove = () => {
    const removed = appsOf(project)[at];
    void change({ projectId: project.id, edit: (now) => withoutApp(now, removed), onError: toastError });
  };
  const look = { scope: 'projects:write', variant: 'default', size: 'compact-sm' } as const;
  return (
    <Card
      title={`${texts.platform['bundleId' in app ? 'ios' : 'android']} · ${name}`}
      actions={
        <Group gap={6} role="group" aria-label={texts.actionsOf(name)}>
          <GuardedButton {...look} onClick={onEdit}>
            {texts.edit}
          </GuardedButton>
          <GuardedButton {...look} onClick={() => setIsRemoving(true)}>
            {texts.remove}
          </GuardedButton>
        </Group>
      }
    >
      <Facts
        facts={
          'bundleId' in app
            ? [
                { name: texts.teamId, value: app.teamId },
                { name: texts.appStoreId, value: app.appStoreId },
                { name: texts.scheme, value: app.scheme },
              ]
            : [
                {
                  name: texts.fingerprint,
                  value: (
                    <Stack gap={4}>
                      {app.sha256Fingerprints.map((one) => (
                        <code key={one}>{one}</code>
                      ))}
                    </Stack>
                  ),
                  isWide: true,
                },
                { name: texts.scheme, value: app.scheme },
              ]
        }
      />
      <ConfirmDialog
        isOpen={isRemoving}
        title={texts.removeTitle(name)}
        verb={texts.remove}
        isPending={isPending}
        onClose={() => setIsRemoving(false)}
        onConfirm={remove}
      >
        {texts.removeBody}
      </ConfirmDialog>
    </Card>
  );
}
