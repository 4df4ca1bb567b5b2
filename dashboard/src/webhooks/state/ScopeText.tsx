import { Link } from '@tanstack/react-router';
import { shortAddress } from '../../kernel/addresses.ts';
import { t } from '../../texts/index.ts';
import { Chip } from '../../ui/StateChip.tsx';
import { type WebhookSummary } from './webhookState.ts';

/** Whose events a webhook gets. */
export function ScopeText({
  webhook: { scope, link, tag },
}: {
  webhook: Pick<WebhookSummary, 'scope' | 'link' | 'tag'>;
}) {
  const texts = t.webhooks.scope;
  if (!scope) return <>{texts.team}</>;
  if (scope.linkId) {
    if (!link) return <>{texts.deletedLink}</>;
    return (
      <>
        {texts.linkIs}{' '}
        <Link to="/links/$linkId" params={{ linkId: link.id }}>
          {shortAddress(link.shortUrl)}
        </Link>
      </>
    );
  }
  if (!scope.tagId) return <>{texts.project}</>;
  return (
    <>
      {texts.tagIs} <Chip>{tag?.name ?? scope.tagId}</Chip>
    </>
  );
}
