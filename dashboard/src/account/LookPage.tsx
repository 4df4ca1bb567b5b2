import { Group, Radio, Stack, useMantineColorScheme } from '@mantine/core';
import { setCompact, useListLook } from '../links/public.ts';
import { t } from '../texts/index.ts';
import { colorSchemes } from '../ui/colorSchemes.ts';
import { onDemand } from '../ui/onDemand.tsx';
import { Card, Page } from '../ui/Page.tsx';
import { ShortcutList } from '../ui/ShortcutList.tsx';
import { LoadingRows } from '../ui/states.tsx';
import { sayApplied } from './sayApplied.ts';

/** The fields with lists to choose from, without which the page is there sooner. */
const RegionFields = onDemand(() => import('./RegionFields.tsx').then(({ RegionFields }) => RegionFields), {
  fallback: <LoadingRows rows={2} height={74} />,
});

/** How the dashboard looks and reads in this browser. */
export function LookPage() {
  const { look } = t.account;
  return (
    <Page title={look.title} back="/account" about={look.about}>
      <Card title={look.appearance}>
        <Stack>
          <Theme />
          <Density />
        </Stack>
      </Card>
      <Card title={look.region}>
        <RegionFields />
      </Card>
      <Card title={t.shell.shortcuts}>
        <ShortcutList />
      </Card>
    </Page>
  );
}

function Theme() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const change = (scheme: string) => {
    setColorScheme(scheme as typeof colorScheme);
    sayApplied();
  };
  return (
    <Radio.Group label={t.shell.lightDark} value={colorScheme} onChange={change}>
      <Group mt={6}>
        {colorSchemes().map(([scheme, label]) => (
          <Radio key={scheme} value={scheme} label={label} />
        ))}
      </Group>
    </Radio.Group>
  );
}

function Density() {
  const { isCompact } = useListLook();
  const { look } = t.account;
  const change = (density: string) => {
    setCompact(density === 'compact');
    sayApplied();
  };
  return (
    <Radio.Group label={look.density} value={isCompact ? 'compact' : 'comfortable'} onChange={change}>
      <Group mt={6}>
        <Radio value="comfortable" label={look.densities.comfortable} />
        <Radio value="compact" label={look.densities.compact} />
      </Group>
    </Radio.Group>
  );
}
