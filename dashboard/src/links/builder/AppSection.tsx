import { Alert, type InputWrapperProps, Switch, TextInput } from '@mantine/core';
import { useProject } from '../../session/session.ts';
import { t } from '../../texts/index.ts';
import styles from './LinkForm.module.css';
import type { FieldsProps } from './LinkForm.tsx';
import type { AppRouting } from './routing.ts';
import { Section } from './Section.tsx';

/** Hints stand below their fields, so that two fields of a row are in line. */
const FIELD_ORDER: InputWrapperProps['inputWrapperOrder'] = ['label', 'input', 'error', 'description'];

/** What phones do that have the app, and what those do that have not. */
export function AppSection({ draft, change, problemOf, hasProblem }: FieldsProps) {
  const project = useProject();
  const { routing } = draft;
  const setRouting = (changed: Partial<typeof routing>) => change({ routing: { ...routing, ...changed } });
  const setApp = (platform: 'ios' | 'android', changed: Partial<AppRouting>) =>
    setRouting({ [platform]: { ...routing[platform], ...changed } });
  return (
    <Section
      title={t.linkParts.sections.app}
      summary={routing.openApp ? t.linkParts.app.on : null}
      hasProblem={hasProblem('routing.ios', 'routing.android', 'routing.open_app')}
    >
      <Switch
        label={t.linkParts.app.open}
        description={t.linkParts.app.openHint}
        checked={routing.openApp}
        onChange={(event) => setRouting({ openApp: event.currentTarget.checked })}
      />
      {project?.apps.length === 0 ? (
        <Alert color={routing.openApp ? 'yellow' : 'blue'} variant="light">
          {t.linkParts.app.noApps}
        </Alert>
      ) : null}
      {(['ios', 'android'] as const).map((platform) => (
        <fieldset key={platform} className={styles.pair}>
          <legend>{t.linkParts.app[platform]}</legend>
          <TextInput
            label={t.linkParts.app.deepLinkPath}
            placeholder="/products/42"
            data-path={`routing.${platform}.deep_link_path`}
            value={routing[platform].deepLinkPath}
            error={problemOf(`routing.${platform}.deep_link_path`)}
            onChange={(event) => setApp(platform, { deepLinkPath: event.currentTarget.value })}
          />
          <TextInput
            label={t.linkParts.app.fallback}
            description={t.linkParts.app.fallbackHint}
            placeholder="store"
            inputWrapperOrder={FIELD_ORDER}
            data-path={`routing.${platform}.fallback`}
            value={routing[platform].fallback}
            error={problemOf(`routing.${platform}.fallback`)}
            onChange={(event) => setApp(platform, { fallback: event.currentTarget.value })}
          />
        </fieldset>
      ))}
    </Section>
  );
}
