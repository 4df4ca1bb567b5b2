import { memo } from 'react';
import { withoutScheme } from '../kernel/addresses.ts';
import { formatCount, formatExact } from '../kernel/numbers.ts';
import { formatDate, formatExactTime, formatRelative } from '../kernel/times.ts';
import { t } from '../texts/index.ts';
import { Sparkline } from '../ui/charts/Sparkline.tsx';
import { IconCopy, IconMore } from '../ui/icons.ts';
import { Chip, LOOKS, StateChip } from '../ui/StateChip.tsx';
import styles from './LinkRow.module.css';
import type { LinkRowData } from './useLinkList.ts';

interface LinkRowProps {
  link: LinkRowData;
  index: number;
  isSelected: boolean;
  now: number;
  /** Of the page of the link. */
  href: string;
  /** Clicks per day of the last month; absent until they are known. */
  curve: readonly number[] | undefined;
}

/**
 * A row of the list: plain elements alone, whose clicks the list handles for all. With a menu, a checkbox and badges of the
 * component library in each row, scrolling took ten times the processor time.
 */
export const LinkRow = memo(function LinkRow({ link, index, isSelected, now, href, curve }: LinkRowProps) {
  const { shortUrl, title, destination, tags, clicks, lastClickedAt, createdAt } = link;
  const shown = withoutScheme(shortUrl);
  return (
    <>
      <span role="cell" className={styles.check}>
        <input
          type="checkbox"
          checked={isSelected}
          onChange={ignore}
          data-action="select"
          data-index={index}
          aria-label={t.links.row.select(shown)}
        />
      </span>
      <span role="cell" className={styles.link}>
        <span className={styles.first}>
          <a href={href} className={styles.url} data-action="open" data-index={index}>
            {shown}
          </a>
          <button
            type="button"
            className={styles.icon}
            data-action="copy"
            data-index={index}
            aria-label={t.links.row.copy(shown)}
          >
            <IconCopy size={15} aria-hidden />
          </button>
        </span>
        <span className={styles.second}>{title ?? destination}</span>
      </span>
      <span role="cell" data-column="state" className={styles.chips}>
        <States link={link} />
      </span>
      <span role="cell" data-column="tags" className={styles.chips} title={tags.join(', ')}>
        <Tags tags={tags} />
      </span>
      <span role="cell" data-column="clicks" className={styles.clicks}>
        <span className={styles.curve}>
          {curve === undefined ? null : <Sparkline counts={curve} label={t.links.row.curve(sumOf(curve))} />}
        </span>
        <span title={formatExact(clicks)}>{formatCount(clicks)}</span>
        <span className={styles.unit}>{t.links.row.clicks(clicks)}</span>
      </span>
      <span role="cell" data-column="last" className={styles.time}>
        {lastClickedAt ? (
          <time dateTime={lastClickedAt} title={formatExactTime(lastClickedAt)}>
            {formatRelative(lastClickedAt, now)}
          </time>
        ) : (
          <span title={t.links.row.noClick}>–</span>
        )}
      </span>
      <span role="cell" data-column="created" className={styles.time}>
        <time dateTime={createdAt} title={formatExactTime(createdAt)}>
          {formatDate(createdAt)}
        </time>
      </span>
      <span role="cell" className={styles.menu}>
        <button
          type="button"
          className={styles.icon}
          data-action="menu"
          data-index={index}
          aria-haspopup="menu"
          aria-label={t.links.row.menu(shown)}
        >
          <IconMore size={18} aria-hidden />
        </button>
      </span>
    </>
  );
});

/** So many fit beside each other; the others are counted, and named for whoever cannot hover. */
const TAGS_SHOWN = 2;

function Tags({ tags }: { tags: readonly string[] }) {
  const others = tags.slice(TAGS_SHOWN);
  return (
    <>
      {tags.slice(0, TAGS_SHOWN).map((tag) => (
        <Chip key={tag}>{tag}</Chip>
      ))}
      {others.length > 0 ? (
        <span className={styles.others}>
          <span aria-hidden>+{others.length}</span>
          <span className="visually-hidden">{others.join(', ')}</span>
        </span>
      ) : null}
    </>
  );
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

/** The list handles clicks; React wants a handler where a checkbox is controlled. */
const ignore = () => {};

/** States other than “active”, which most links are. */
function States({ link: { status, passwordProtected, routing, clickLimit } }: { link: LinkRowData }) {
  const { row } = t.links;
  const words = [
    passwordProtected ? row.password : null,
    routing?.rules?.length ? row.rules : null,
    routing?.split?.length ? row.split : null,
    routing?.openApp ? row.app : null,
    clickLimit === null ? null : row.limit,
  ].filter((word) => word !== null);
  return (
    <>
      {status === 'active' ? null : <StateChip look={LOOKS.link[status]}>{t.states.link[status]}</StateChip>}
      {words.map((word) => (
        <Chip key={word}>{word}</Chip>
      ))}
    </>
  );
}
