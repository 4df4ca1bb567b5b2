import { useState } from 'react';
import { formatExactTime } from '../../kernel/times.ts';
import type { Right } from '../../session/permissions.ts';
import { t } from '../../texts/index.ts';
import { Code } from '../../ui/Code.tsx';
import { IconCheck, IconClose } from '../../ui/icons.ts';
import { StateChip } from '../../ui/StateChip.tsx';
import { RecomputeForm } from './RecomputeForm.tsx';
import styles from './SignatureView.module.css';
import { parseSignature, signedText } from './signature.ts';

interface SignatureViewProps {
  header: string;
  body: string;
  webhookId: string;
  right?: Right;
}

/** The signature header, part by part, with the text that was signed and a way to compute it again. */
export function SignatureView({ header, body, webhookId, right }: SignatureViewProps) {
  const [computed, setComputed] = useState<string | null>(null);
  const texts = t.webhooks.signature;
  const signature = parseSignature(header);
  if (!signature) return null;
  const signed = signedText(signature, body);
  const isFound = computed !== null && signature.signatures.includes(computed);
  return (
    <details className={styles.frame}>
      <summary className={styles.summary}>{texts.title}</summary>
      <div className={styles.body}>
        <p className={styles.about}>{texts.about}</p>
        <dl className={styles.parts}>
          <div>
            <dt>
              <code>t={signature.timestamp}</code>
            </dt>
            <dd>{texts.time(formatExactTime(new Date(Number(signature.timestamp) * 1000)))}</dd>
          </div>
          {signature.signatures.map((hex, index) => (
            <div key={hex}>
              <dt>
                <code>v1={hex}</code>
              </dt>
              <dd>
                {index === 0 ? texts.newest : texts.earlier}{' '}
                {computed === null ? null : <Match isSame={hex === computed} />}
              </dd>
            </div>
          ))}
        </dl>
        <h4 className={styles.subtitle}>{texts.signedText}</h4>
        <Code text={signed} what={texts.signedText} />
        <h4 className={styles.subtitle}>{texts.recompute}</h4>
        <RecomputeForm webhookId={webhookId} right={right} signed={signed} onComputed={setComputed} />
        <div role="status">
          {computed === null ? null : (
            <p className={styles.result}>
              <Match isSame={isFound} /> {isFound ? texts.found : texts.notFound}
              <code>{computed}</code>
            </p>
          )}
        </div>
      </div>
    </details>
  );
}

function Match({ isSame }: { isSame: boolean }) {
  const look = isSame ? ({ tone: 'good', icon: IconCheck } as const) : ({ tone: 'alarm', icon: IconClose } as const);
  return <StateChip look={look}>{isSame ? t.webhooks.signature.same : t.webhooks.signature.differs}</StateChip>;
}
