import type { ReactNode } from 'react';
import { formatExact } from '../../kernel/numbers.ts';
import { formatExactTime } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import { Card } from '../../ui/Page.tsx';
import { Chip } from '../../ui/StateChip.tsx';
import { Time } from '../../ui/Time.tsx';
import styles from './LinkPage.module.css';
import type { OneLink } from './LinkPage.tsx';

/** What is set of the link, and its figures. */
export function LinkFacts({ link }: { link: OneLink }) {
  const { facts } = t.link;
  const campaign = Object.values(link.utm ?? {}).filter(Boolean);
  const data = link.data as object;
  const rows: [string, ReactNode, boolean?][] = [
    [facts.destination, <Destination key="d" url={link.destination} />, true],
    [
      facts.clicks,
      link.clickLimit === null
        ? formatExact(link.clicks)
        : facts.limit(formatExact(link.clicks), formatExact(link.clickLimit)),
    ],
    [facts.lastClick, link.lastClickedAt ? <Time key="l" at={link.lastClickedAt} /> : t.links.row.noClick],
    [
      facts.created,
      <span key="c">
        <Time at={link.createdAt} /> {link.createdBy?.name ? facts.createdBy(link.createdBy.name) : null}
      </span>,
    ],
    [
      facts.tags,
      link.tags.length > 0 ? (
        <span key="t" className={styles.tags}>
          {link.tags.map((tag) => (
            <Chip key={tag}>{tag}</Chip>
          ))}
        </span>
      ) : null,
    ],
    [facts.starts, link.startsAt && formatExactTime(link.startsAt)],
    [facts.ends, link.expiresAt && formatExactTime(link.expiresAt)],
    [facts.afterwards, link.expiredDestination],
    [facts.password, link.passwordProtected ? facts.passwordSet : null],
    [facts.externalId, link.externalId],
    [facts.utm, campaign.length > 0 ? campaign.join(' · ') : null],
    [facts.notes, link.notes, true],
    [facts.data, Object.keys(data).length > 0 ? <code key="j">{JSON.stringify(data)}</code> : null, true],
  ];
  return (
    <Card>
      <dl className={styles.facts}>
        {rows.map(([name, value, isWide]) =>
          value === null ? null : (
            <div key={name} className={`${styles.fact} ${isWide ? styles.wide : ''}`}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </Card>
  );
}

/** A link for web pages alone: other schemes could start something on this machine. */
function Destination({ url }: { url: string }) {
  if (!/^https?:\/\//i.test(url)) return url;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {url}
    </a>
  );
}
