import { Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { withoutScheme } from '../kernel/addresses.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { t } from '../texts/index.ts';
import { LOOKS, StateChip } from '../ui/StateChip.tsx';
import { type AlertKind, type AlertRow, rowsIn, statusOf, textIn } from './alerts.ts';
import { useAlertChanges } from './useAlertChanges.ts';

/** A kind in words; one that this page does not know yet as the API calls it. */
export function kindName(kind: AlertKind): string {
  return t.watch.kinds[kind]?.name ?? kind;
}

export function SeverityChip({ severity }: Pick<AlertRow, 'severity'>) {
  return <StateChip look={LOOKS.severity[severity]}>{t.states.severity[severity]}</StateChip>;
}

export function AlertState({ alert }: { alert: Pick<AlertRow, 'acknowledgedAt' | 'resolvedAt'> }) {
  const status = statusOf(alert);
  return <StateChip look={LOOKS.alert[status]}>{t.states.alert[status]}</StateChip>;
}

/** The thing that an alert is about, with the way to it; null where it is about nothing that has a page. */
export function concernOf(alert: AlertRow): ReactNode {
  const { kind, projectId, linkId, link, webhookId, webhook, details } = alert;
  const texts = t.watch.alert;
  const inProject = projectId ? { project: projectId } : {};
  if (link) {
    return (
      <Link to="/links/$linkId" params={{ linkId: link.id }} search={inProject}>
        {withoutScheme(link.shortUrl)}
      </Link>
    );
  }
  if (linkId) return texts.deletedLink;
  if (webhook) {
    return (
      <Link to="/webhooks/$webhookId" params={{ webhookId: webhook.id }} search={inProject}>
        {webhook.url.replace(/^https:\/\//, '')}
      </Link>
    );
  }
  if (webhookId) return texts.deletedWebhook;
  const domainId = textIn(details, 'domain_id');
  if (kind === 'domain' && domainId) {
    return (
      <Link to="/domains/$domainId" params={{ domainId }} search={inProject}>
        {textIn(details, 'hostname') ?? t.watch.kinds.domain.name}
      </Link>
    );
  }
  switch (kind) {
    case 'health':
      return (
        <Link to="/health" search={inProject}>
          {texts.healthPage}
        </Link>
      );
    case 'traffic_anomaly':
      return (
        <Link to="/analytics" search={inProject}>
          {texts.wholeProject}
        </Link>
      );
    case 'security':
      return (
        <Link to="/api" search={projectOfKeys(alert)}>
          {texts.keysPage}
        </Link>
      );
    case 'billing':
      return (
        <Link to="/apps/installs" search={inProject}>
          {texts.installsPage}
        </Link>
      );
    default:
      return null;
  }
}

/** Alerts about keys belong to the team; the keys belong to its projects. */
export function projectOfKeys({ projectId, details }: Pick<AlertRow, 'projectId' | 'details'>): { project?: string } {
  const [key = {}] = rowsIn(details, 'keys');
  const project = projectId ?? textIn(key, 'project_id');
  return project === null ? {} : { project };
}

interface AlertActionsProps {
  alert: Pick<AlertRow, 'id' | 'title' | 'acknowledgedAt' | 'resolvedAt'>;
  /** Called when it is done. The buttons are gone by then. */
  onDone?: () => void;
  isLarge?: boolean;
}

/** Acknowledge and resolve, as far as there is something to do. */
export function AlertActions({ alert, onDone, isLarge = false }: AlertActionsProps) {
  const { isPending, acknowledge, resolve } = useAlertChanges(onDone);
  const status = statusOf(alert);
  const { alerts } = t.watch;
  if (status === 'resolved') return null;
  const look = {
    scope: 'alerts:write',
    variant: 'default',
    size: isLarge ? 'sm' : 'compact-sm',
    disabled: isPending,
  } as const;
  return (
    <Group gap={6} role="group" aria-label={alerts.actionsOf(alert.title)}>
      {status === 'open' ? (
        <GuardedButton {...look} title={alerts.acknowledgeAbout} onClick={() => acknowledge(alert.id)}>
          {alerts.acknowledge}
        </GuardedButton>
      ) : null}
      <GuardedButton {...look} title={alerts.resolveAbout} onClick={() => resolve(alert.id)}>
        {alerts.resolve}
      </GuardedButton>
    </Group>
  );
}
