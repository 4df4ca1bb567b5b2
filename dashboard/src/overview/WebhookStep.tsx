import { Alert, SegmentedControl, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { ask } from '../kernel/ask.ts';
import { GraphqlError } from '../kernel/GraphqlError.ts';
import { graphql } from '../kernel/graphql.ts';
import { refresh } from '../kernel/queries.ts';
import { GuardedButton } from '../session/GuardedButton.tsx';
import { useProjectId, useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Code } from '../ui/Code.tsx';
import { SecretOnce } from '../ui/SecretOnce.tsx';
import { SendTest } from '../webhooks/public.ts';
import type { SetupData } from './operations.ts';
import styles from './overview.module.css';

const CREATE_WEBHOOK = graphql(`
  mutation CreateFirstWebhook($input: CreateWebhookInput!) {
    createWebhook(input: $input) {
      id
      secret
      eventTypes
    }
  }
`);

/** Receivers of one line, that of Node as in the README: each prints the signature and the body of everything that it gets. */
const RECEIVERS = {
  Node: `node -e 'require("http").createServer((q, s) => { let b = ""; q.on("data", c => b += c).on("end", () => { console.log(q.headers["svc-signature"], b, "\\n"); s.end() }) }).listen(4000)'`,
  Python: `python3 -c '
from http.server import *
class R(BaseHTTPRequestHandler):
    def do_POST(s):
        print(s.headers["SVC-Signature"], s.rfile.read(int(s.headers["Content-Length"])).decode(), flush=True)
        s.send_response(200); s.end_headers()
HTTPServer(("127.0.0.1", 4000), R).serve_forever()'`,
};
const ADDRESS = 'http://127.0.0.1:4000';

interface Created {
  id: string;
  secret: string | null;
  eventTypes: readonly string[];
}

/** A webhook in one field, its secret, and a test event with its request and answer in place. */
export function WebhookStep({ data }: { data: SetupData }) {
  const [created, setCreated] = useState<Created | null>(null);
  const { webhook } = t.overview.steps;
  const [existing] = data.webhooks.data;
  if (created) return <Try created={created} onStored={() => setCreated({ ...created, secret: null })} />;
  if (existing) {
    return (
      <p>
        {webhook.exists}{' '}
        <Link to="/webhooks/$webhookId" params={{ webhookId: existing.id }}>
          {existing.url}
        </Link>
      </p>
    );
  }
  return <NewWebhook onCreated={setCreated} />;
}

function NewWebhook({ onCreated }: { onCreated: (created: Created) => void }) {
  const projectId = useProjectId();
  const { service } = useSession();
  const [language, setLanguage] = useState<keyof typeof RECEIVERS>('Node');
  const [url, setUrl] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [isPending, setIsPending] = useState(false);
  const { webhook } = t.overview.steps;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setIsPending(true);
    try {
      // Not by a query of the cache: the answer has a secret.
      const { createWebhook } = await ask(CREATE_WEBHOOK, { input: { projectId, url: url.trim(), eventTypes: ['*'] } });
      onCreated(createWebhook);
      void refresh(['webhooks', 'setup']);
    } catch (error) {
      setProblem((error instanceof GraphqlError && error.fields[0]?.message) || (error as Error).message);
      setIsPending(false);
    }
  };
  return (
    <form onSubmit={submit} className={styles.form}>
      <p>{webhook.about}</p>
      {service.allowsPrivateTargets ? (
        <>
          <p>{webhook.noServer(ADDRESS)}</p>
          <SegmentedControl
            aria-label={webhook.language}
            data={Object.keys(RECEIVERS)}
            value={language}
            onChange={(chosen) => setLanguage(chosen as keyof typeof RECEIVERS)}
          />
          <Code text={RECEIVERS[language]} what={webhook.receiver} />
        </>
      ) : (
        <Alert color="yellow">{webhook.privateRefused}</Alert>
      )}
      <TextInput
        label={webhook.url}
        placeholder={service.allowsPrivateTargets ? ADDRESS : 'https://example.com/webhooks'}
        inputMode="url"
        autoComplete="off"
        required
        value={url}
        error={problem}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <div>
        <GuardedButton scope="webhooks:write" type="submit" loading={isPending}>
          {webhook.action}
        </GuardedButton>
      </div>
    </form>
  );
}

function Try({ created: { id, secret, eventTypes }, onStored }: { created: Created; onStored: () => void }) {
  const { webhook } = t.overview.steps;
  return (
    <div className={styles.form}>
      <p role="status">{webhook.created}</p>
      <SendTest webhookId={id} eventTypes={eventTypes} />
      {secret === null ? null : (
        <SecretOnce
          isReadable
          secret={secret}
          what={t.webhooks.secret.what}
          fileName={t.webhooks.secret.fileName}
          label={webhook.hide}
          onStored={onStored}
        />
      )}
    </div>
  );
}
