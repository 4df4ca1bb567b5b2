import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { IconPlus } from '../ui/icons.ts';
import { Card } from '../ui/Page.tsx';
import { EmptyState } from '../ui/states.tsx';

/** What apps bring, for a project that has none. */
export function NoApps() {
  const navigate = useNavigate();
  const { none } = t.apps;
  return (
    <Card>
      <EmptyState
        title={none.title}
        body={none.body}
        actions={
          <>
            <GuardedButton
              scope="projects:write"
              leftSection={<IconPlus size={16} />}
              onClick={() => void navigate({ to: '/settings', search: { tab: 'apps' } })}
            >
              {none.add}
            </GuardedButton>
            <Button variant="default" renderRoot={(props) => <Link to="/api" {...props} />}>
              {none.sdk}
            </Button>
          </>
        }
      />
    </Card>
  );
}
