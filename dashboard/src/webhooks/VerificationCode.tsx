import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { VERIFIERS } from '../../../sdk/verifiers.ts';
import { readPreference, writePreference } from '../kernel/storage.ts';
import { t } from '../texts/index.ts';
import { Code } from '../ui/Code.tsx';

const LANGUAGES = VERIFIERS.map(({ name }) => name);
const FIRST = 'Node';

/** How a receiver checks the signature, in the language that was read last. */
export function VerificationCode({ secret }: { secret: string }) {
  const [language, setLanguage] = useState(() => {
    const kept = readPreference('codeLanguage');
    return kept !== null && LANGUAGES.includes(kept) ? kept : FIRST;
  });
  const choose = (chosen: string) => {
    writePreference('codeLanguage', chosen);
    setLanguage(chosen);
  };
  return (
    <Stack gap={8}>
      <SegmentedControl aria-label={t.webhooks.secret.language} data={LANGUAGES} value={language} onChange={choose} />
      <Code
        text={VERIFIERS.find(({ name }) => name === language)?.code(secret) ?? ''}
        what={t.webhooks.secret.codeOf(language)}
      />
    </Stack>
  );
}
