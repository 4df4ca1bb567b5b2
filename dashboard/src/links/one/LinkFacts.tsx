import { formatExact } from '../../kernel/numbers.ts';
import { formatExactTime } from '../../kernel/times.ts';
import { t } from '../../texts/index.ts';
import { type Fact, Facts } from '../../ui/Facts.tsx';
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
  const rows: Fact[] = [
    { name: facts.destination, value: <Destination url={link.destination} />, isWide: true },
    {
      name: facts.clicks,
      value:
        link.clickLimit === null
          ? formatExact(link.clicks)
          : facts.limit(formatExact(link.clicks), formatExact(link.clickLimit)),
    },
    { name: facts.lastClick, value: link.lastClickedAt ? <Time at={link.lastClickedAt} /> : t.links.row.noClick },
    {
      name: facts.created,
      value: (
        <span>
          <Time at={link.createdAt} /> {link.createdBy?.name ? facts.createdBy(link.createdBy.name) : null}
        </span>
      ),
    },
    {
      name: facts.tags,
      value:
        link.tags.length > 0 ? (
          <span className={styles.tags}>
            {link.tags.map((tag) => (
              <Chip key={tag}>{tag}</Chip>
            ))}
          </span>
        ) : null,
    },
    { name: facts.starts, value: link.startsAt && formatExactTime(link.startsAt) },
    { name: facts.ends, value: link.expiresAt && formatExactTime(link.expiresAt) },
    { name: facts.afterwards, value: link.expiredDestination },
    { name: facts.password, value: link.passwordProtected ? facts.passwordSet : null },
    { name: facts.externalId, value: link.externalId },
    { name: facts.utm, value: campaign.length > 0 ? campaign.join(' · ') : null },
    { name: facts.notes, value: link.notes, isWide: true },
    {
      name: facts.data,
      value: Object.keys(data).length > 0 ? <code>{JSON.stringify(data)}</code> : null,
      isWide: true,
    },
  ];
  return (
    <Card>
      <Facts facts={rows} />
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
