import { formatMilliseconds } from '../../kernel/numbers.ts';
import type { Right } from '../../session/permissions.ts';
import { t } from '../../texts/index.ts';
import { Code } from '../../ui/Code.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { AttemptOutcome } from './AttemptOutcome.tsx';
import styles from './AttemptView.module.css';
import { curlOf } from './curl.ts';
import { type Attempt, type Delivery, headerOf, headersOf } from './delivery.ts';
import { HeaderList } from './HeaderList.tsx';
import { SignatureView } from './SignatureView.tsx';

interface AttemptViewProps {
  delivery: Pick<Delivery, 'requestBody' | 'webhookId'>;
  attempt: Attempt;
  /** What the webhook asks of people who see its secret; without it, one of a project. */
  right?: Right;
}

/** One request to a receiver and its answer, with nothing left out. */
export function AttemptView({ delivery, attempt, right }: AttemptViewProps) {
  return (
    <div className={styles.attempt}>
      <AttemptOutcome attempt={attempt} />
      <RequestPart delivery={delivery} attempt={attempt} right={right} />
      <ResponsePart attempt={attempt} />
    </div>
  );
}

function RequestPart({ delivery, attempt: { url, requestHeaders }, right }: AttemptViewProps) {
  const { webhookId } = delivery;
  // Null only in lists.
  const requestBody = delivery.requestBody ?? '';
  const texts = t.webhooks.request;
  const headers = headersOf(requestHeaders);
  const signature = headerOf(headers, 'svc-signature');
  return (
    <section className={styles.part}>
      <div className={styles.head}>
        <h3 className={styles.title}>{texts.request}</h3>
        {url ? <CopyButton text={curlOf(url, headers, requestBody)} what={texts.curl} label={texts.copyCurl} /> : null}
      </div>
      {url ? (
        <>
          <p className={styles.line}>
            <b>POST</b> {url}
          </p>
          <HeaderList headers={headers} name={texts.requestHeaders} />
        </>
      ) : (
        <p className={styles.soft}>{texts.notKept}</p>
      )}
      {signature ? <SignatureView header={signature} body={requestBody} webhookId={webhookId} right={right} /> : null}
      <h4 className={styles.subtitle}>{texts.body}</h4>
      <Code text={requestBody} what={texts.requestBody} language="json" />
    </section>
  );
}

function ResponsePart({ attempt: { statusCode, responseHeaders, responseBody, durationMs } }: { attempt: Attempt }) {
  const texts = t.webhooks.request;
  const headers = headersOf(responseHeaders);
  const isJson = /\bjson\b/i.test(headerOf(headers, 'content-type') ?? '');
  return (
    <section className={styles.part}>
      <h3 className={styles.title}>{texts.response}</h3>
      {statusCode === null ? (
        <p className={styles.soft}>{texts.noResponse}</p>
      ) : (
        <>
          <p className={styles.line}>
            <b>{statusCode}</b> {texts.after(formatMilliseconds(durationMs))}
          </p>
          <HeaderList headers={headers} name={texts.responseHeaders} />
          <h4 className={styles.subtitle}>{texts.body}</h4>
          {responseBody ? (
            <Code text={responseBody} what={texts.responseBody} language={isJson ? 'json' : 'text'} />
          ) : (
            <p className={styles.soft}>{texts.emptyBody}</p>
          )}
        </>
      )}
    </section>
  );
}
