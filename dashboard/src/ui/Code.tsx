import { useRef } from 'react';
import styles from './Code.module.css';
import { CopyButton } from './CopyButton.tsx';

interface CodeProps {
  text: string;
  /** What it is, for the copy button and for screen readers. */
  what: string;
  language?: 'json' | 'text';
}

/** A text in a frame of its own, as it came: never read as markup. */
export function Code({ text, what, language = 'text' }: CodeProps) {
  const ref = useRef<HTMLPreElement>(null);
  return (
    <div className={styles.frame}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and the keyboard must reach what is cut off */}
      <section className={styles.code} tabIndex={0} aria-label={what}>
        <pre ref={ref}>{language === 'json' ? <JsonText text={text} /> : text}</pre>
      </section>
      <div className={styles.copy}>
        <CopyButton text={text} what={what} fallback={() => ref.current} />
      </div>
    </div>
  );
}

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Larger texts are shown without colours. */
const COLORED_BELOW = 100_000;

/** JSON with its names, texts and values in colours; what is not JSON stays as it is. */
function JsonText({ text }: { text: string }) {
  const pretty = indented(text);
  if (pretty.length > COLORED_BELOW) return pretty;
  const parts = [];
  let end = 0;
  for (const match of pretty.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match;
    parts.push(pretty.slice(end, match.index));
    const kind = quoted ? (colon ? 'name' : 'text') : 'value';
    parts.push(
      <span key={match.index} data-kind={kind}>
        {whole}
      </span>,
    );
    end = match.index + whole.length;
  }
  parts.push(pretty.slice(end));
  return parts;
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
