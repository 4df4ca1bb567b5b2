import { Link } from '@tanstack/react-router';
import { t } from '../../texts/index.ts';
import { Facts } from '../../ui/Facts.tsx';
import { Card } from '../../ui/Page.tsx';
import { LOOKS, StateChip } from '../../ui/StateChip.tsx';
import { Time } from '../../ui/Time.tsx';
import type { OneAlert } from '../AlertPage.tsx';
import { textIn } from '../alerts.ts';

/** Why a link was blocked, and how far its review is. */
export function FlaggedLinkDetails({ alert: { link, details } }: { alert: OneAlert }) {
  const texts = t.watch.alert.link;
  return (
    <Card
      title={t.watch.alert.details}
      actions={
        link ? (
          <Link to="/links/$linkId" params={{ linkId: link.id }}>
            {texts.open}
          </Link>
        ) : null
      }
    >
      <Facts
        facts={[
          { name: texts.shortUrl, value: textIn(details, 'short_url') },
          {
            name: texts.now,
            value: link ? (
              <StateChip look={LOOKS.link[link.status]}>{t.states.link[link.status]}</StateChip>
            ) : (
              t.watch.alert.deletedLink
            ),
          },
          { name: texts.appeal, value: link && <Review link={link} /> },
          { name: texts.reason, value: <span lang="en">{textIn(details, 'reason')}</span>, isWide: true },
        ]}
      />
    </Card>
  );
}

function Review({ link: { status, reviewRequestedAt } }: { link: NonNullable<OneAlert['link']> }) {
  const texts = t.watch.alert.link;
  if (status !== 'flagged') return texts.over;
  if (reviewRequestedAt === null) return texts.notAsked;
  return (
    <>
      {texts.asked} <Time at={reviewRequestedAt} />
    </>
  );
}
