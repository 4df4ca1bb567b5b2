import { SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { readPreference, writePreference } from '../kernel/storage.ts';
import { useSession } from '../session/session.ts';
import { t } from '../texts/index.ts';
import { Code } from '../ui/Code.tsx';
import { Card } from '../ui/Page.tsx';
import { appCode, SNIPPETS } from './snippets.ts';

type Snippet = keyof typeof SNIPPETS;
const LANGUAGES = Object.keys(SNIPPETS) as Snippet[];
const PLACEHOLDER = 'sk_live_…';
const APP_PACKAGE = 'SVC-App';

/** A first request to the API in the language that was read last, and the start of the SDK. */
export function FirstCode({ publishableKey }: { publishableKey: string | null }) {
  const { service } = useSession();
  const { code } = t.api;
  const [language, setLanguage] = useState<Snippet>(() => {
    const kept = readPreference('codeLanguage') as Snippet | null;
    return kept !== null && kept in SNIPPETS ? kept : 'curl';
  });
  const { data: install } = useQuery({ queryKey: ['downloads'], queryFn: askInstallCommand, staleTime: Infinity });
  const choose = (chosen: string) => {
    writePreference('codeLanguage', chosen);
    setLanguage(chosen as Snippet);
  };
  return (
    <>
      <Card title={code.title}>
        <Stack gap={8}>
          <div>{code.placeholder}</div>
          <SegmentedControl aria-label={code.language} data={LANGUAGES} value={language} onChange={choose} />
          <Code text={SNIPPETS[language](service.baseUrl, PLACEHOLDER)} what={code.what(language)} />
        </Stack>
      </Card>
      {install ? (
        <Card title={code.app}>
          <Stack gap={8}>
            <div>{code.appAbout}</div>
            <Code text={install} what={code.install} />
            <Code text={appCode(service.baseUrl, publishableKey ?? 'pk_live_…')} what={code.what('JavaScript')} />
          </Stack>
        </Card>
      ) : null}
    </>
  );
}

/** How the SDK for apps is installed from here; null where the packages were not built. */
async function askInstallCommand(): Promise<string | null> {
  const response = await fetch('/downloads');
  if (!response.ok) return null;
  const { data } = (await response.json()) as { data: { name: string; install: string }[] };
  return data.find(({ name }) => name === APP_PACKAGE)?.install ?? null;
}
