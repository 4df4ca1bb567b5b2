import { Button, Select, Stack } from '@mantine/core';
import { useState } from 'react';
import { LANGUAGES, language } from '../kernel/language.ts';
import { readPreference, writePreference } from '../kernel/storage.ts';
import { browserZone, timezone } from '../kernel/times.ts';
import { t } from '../texts/index.ts';
import { ZoneSelect } from '../ui/ZoneSelect.tsx';
import { sayApplied } from './sayApplied.ts';

/** The language of the dashboard, and the zone of its times. */
export function RegionFields() {
  return (
    <Stack>
      <LanguageSelect />
      <Zone />
    </Stack>
  );
}

const AS_BROWSER = '';

/** Each language by its own name, for people who cannot read the one that is shown. */
function LanguageSelect() {
  const { look } = t.account;
  const choose = (chosen: string | null) => {
    writePreference('language', chosen || null);
    location.reload();
  };
  return (
    <Select
      label={look.language}
      description={look.languageAbout}
      maw={360}
      data={[
        { value: AS_BROWSER, label: look.sameAsBrowser },
        ...LANGUAGES.map((each) => ({ value: each as string, label: ownName(each) })),
      ]}
      value={readPreference('language') === null ? AS_BROWSER : language}
      onChange={choose}
    />
  );
}

/** With a capital, as in a list: many languages write their names without. */
function ownName(tag: string): string {
  const name = new Intl.DisplayNames(tag, { type: 'language' }).of(tag) ?? tag;
  return name.charAt(0).toLocaleUpperCase(tag) + name.slice(1);
}

function Zone() {
  const { look } = t.account;
  const [zone, setZone] = useState(timezone);
  const choose = (chosen: string | null) => {
    writePreference('timezone', chosen);
    setZone(timezone());
    sayApplied();
  };
  return (
    <Stack gap="xs" align="flex-start">
      <ZoneSelect label={look.zone} description={look.zoneAbout} w="100%" maw={360} value={zone} onChange={choose} />
      {zone === browserZone ? null : (
        <Button variant="subtle" size="compact-sm" onClick={() => choose(null)}>
          {look.useBrowserZone(browserZone)}
        </Button>
      )}
    </Stack>
  );
}
