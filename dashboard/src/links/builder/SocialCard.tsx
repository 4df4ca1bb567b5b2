import type { ReactNode } from 'react';
import { t } from '../../texts/index.ts';
import { IconGlobe } from '../../ui/icons.ts';
import styles from './SocialCard.module.css';

export const NETWORKS = ['slack', 'x', 'whatsapp', 'linkedin', 'discord'] as const;
export type Network = (typeof NETWORKS)[number];

/** What a network reads from the link, or from the page that the link leads to. */
export interface Card {
  title: string;
  description: string | null;
  siteName: string | null;
  host: string;
  /** A data URL. */
  picture: string | null;
}

/** How each network lays a card out. Small cards, without a picture, have a square beside the text on X and WhatsApp. */
const LAYOUTS: Record<Network, (card: Card) => ReactNode> = {
  slack: (card) => (
    <div className={styles.bar}>
      <span className={styles.site}>{card.siteName ?? card.host}</span>
      <span className={styles.link}>{cut(card.title, 150)}</span>
      <Description text={card.description} length={300} />
      <Picture card={card} className={styles.inset} />
    </div>
  ),
  x: (card) =>
    card.picture ? (
      <>
        <div className={styles.overlaid}>
          <Picture card={card} className={styles.round} />
          <span className={styles.overlay}>{cut(card.title, 70)}</span>
        </div>
        <span className={styles.from}>{t.linkParts.preview.from(card.host)}</span>
      </>
    ) : (
      <SmallCard card={card} />
    ),
  whatsapp: (card) => (
    <div className={styles.bubble}>
      {card.picture ? <Picture card={card} className={styles.wide} /> : null}
      <div className={styles.text}>
        <b>{cut(card.title, 65)}</b>
        <Description text={card.description} length={90} />
        <span className={styles.small}>{card.host}</span>
      </div>
    </div>
  ),
  linkedin: (card) => (
    <div className={styles.framed}>
      {card.picture ? <Picture card={card} className={styles.wide} /> : null}
      <div className={styles.text}>
        <b>{cut(card.title, 120)}</b>
        <span className={styles.small}>{card.host}</span>
      </div>
    </div>
  ),
  discord: (card) => (
    <div className={styles.embed}>
      {card.siteName ? <span className={styles.small}>{card.siteName}</span> : null}
      <span className={styles.link}>{cut(card.title, 256)}</span>
      <Description text={card.description} length={350} />
      <Picture card={card} className={styles.inset} />
    </div>
  ),
};

/** The link as a chat or social network would show it. Titles and descriptions are those of strangers: text only. */
export function SocialCard({ card, network }: { card: Card; network: Network }) {
  return (
    <figure className={styles.card} aria-label={t.linkParts.preview.cardIn(t.linkParts.preview.networks[network])}>
      {LAYOUTS[network](card)}
    </figure>
  );
}

function SmallCard({ card }: { card: Card }) {
  return (
    <div className={styles.beside}>
      <span className={styles.square}>
        <IconGlobe size={28} aria-hidden />
      </span>
      <div className={styles.text}>
        <span className={styles.small}>{card.host}</span>
        <span>{cut(card.title, 70)}</span>
        <Description text={card.description} length={100} />
      </div>
    </div>
  );
}

function Description({ text, length }: { text: string | null; length: number }) {
  return text ? <span className={styles.description}>{cut(text, length)}</span> : null;
}

function Picture({ card, className }: { card: Card; className: string | undefined }) {
  return card.picture ? <img className={className} src={card.picture} alt="" /> : null;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1).toWellFormed()}…` : text;
}
