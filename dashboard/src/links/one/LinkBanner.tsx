import { Alert } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { graphql } from '../../kernel/graphql.ts';
import { formatExact } from '../../kernel/numbers.ts';
import { useChange } from '../../kernel/queries.ts';
import { formatExactTime, formatRelative } from '../../kernel/times.ts';
import { GuardedButton } from '../../session/GuardedButton.tsx';
import { t } from '../../texts/index.ts';
import { IconArchive, IconClock, IconFlag } from '../../ui/icons.ts';
import { useNow } from '../../ui/Time.tsx';
import { toast, toastError } from '../../ui/toasts.ts';
import { useArchive } from '../useArchive.ts';
import type { OneLink } from './LinkPage.tsx';

const REVIEW_LINK = graphql(`
  mutation ReviewLink($id: ID!) {
    reviewLink(id: $id) {
      id
    }
  }
`);

const MINUTE_MS = 60_000;

/** Why the link does not redirect, and what can be done. Nothing for a link that works. */
export function LinkBanner({ link }: { link: OneLink }) {
  const archive = useArchive();
  const navigate = useNavigate();
  const { archived, scheduled, expired } = t.link;
  if (link.status === 'flagged') return <Blocked link={link} />;
  if (link.status === 'archived') {
    return (
      <Alert color="gray" variant="light" icon={<IconArchive size={18} />} title={archived.title}>
        <p>{archived.body}</p>
        <GuardedButton scope="links:write" variant="default" onClick={() => archive(link, false)}>
          {archived.action}
        </GuardedButton>
      </Alert>
    );
  }
  if (link.status === 'scheduled') {
    return (
      <Alert color="blue" variant="light" icon={<IconClock size={18} />} title={scheduled.title}>
        {scheduled.body(formatExactTime(link.startsAt ?? link.createdAt))}
      </Alert>
    );
  }
  if (link.status === 'expired') {
    const isOver = link.clickLimit !== null && link.clicks >= link.clickLimit;
    return (
      <Alert
        color="yellow"
        variant="light"
        icon={<IconClock size={18} />}
        title={isOver ? expired.limitTitle : expired.title}
      >
        <p>
          {isOver || !link.expiresAt
            ? expired.byClicks(formatExact(link.clickLimit ?? 0))
            : expired.byTime(formatExactTime(link.expiresAt))}
        </p>
        <p>{link.expiredDestination ? expired.sentTo(link.expiredDestination) : expired.visitors}</p>
        <GuardedButton
          scope="links:write"
          variant="default"
          onClick={() => void navigate({ to: '/links/$linkId/edit', params: { linkId: link.id } })}
        >
          {expired.edit}
        </GuardedButton>
      </Alert>
    );
  }
  return null;
}

function Blocked({ link }: { link: OneLink }) {
  const { flagged } = t.link;
  const now = useNow(MINUTE_MS);
  const review = useChange({
    document: REVIEW_LINK,
    touches: ['links', 'alerts'],
    onDone: () => toast(flagged.reviewed),
  });
  return (
    <Alert color="red" variant="light" icon={<IconFlag size={18} />} title={flagged.title}>
      <p>
        {flagged.since(formatExactTime(link.flaggedAt ?? link.updatedAt))}
        {link.flagReason ? (
          <>
            {' '}
            {flagged.reason} <span lang="en">{link.flagReason}</span>
          </>
        ) : null}
      </p>
      <p>{flagged.body}</p>
      {link.reviewRequestedAt ? (
        <p role="status">{flagged.asked(formatRelative(link.reviewRequestedAt, now))}</p>
      ) : (
        <GuardedButton
          scope="links:write"
          variant="default"
          loading={review.isPending}
          onClick={() => review.mutate({ id: link.id }, { onError: toastError })}
        >
          {flagged.review}
        </GuardedButton>
      )}
    </Alert>
  );
}
