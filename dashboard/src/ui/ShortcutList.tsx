import { Kbd, Switch } from '@mantine/core';
import { useState } from 'react';
import { isApple } from '../kernel/shortcuts.ts';
import { readPreference, writePreference } from '../kernel/storage.ts';
import { t } from '../texts/index.ts';
import { NAVIGATION } from './pages.ts';
import styles from './ShortcutList.module.css';

/** Every shortcut with what it does, and the switch for those of a single letter. */
export function ShortcutList() {
  const [isOn, setIsOn] = useState(() => readPreference('hasShortcuts') !== false);
  const { keys } = t.shell;
  const rows: [string[], string][] = [
    [[isApple() ? '⌘' : 'Ctrl', 'K'], keys.palette],
    [[isApple() ? '⌘' : 'Ctrl', 'Enter'], keys.save],
    [['?'], keys.help],
    [['c'], keys.create],
    [['/'], keys.search],
    ...NAVIGATION.map(({ key, name }): [string[], string] => [['g', key], keys.goTo(t.shell.pages[name])]),
    [['j', 'k'], keys.move],
    [['x'], keys.select],
    [['Enter'], keys.open],
    [['e'], keys.edit],
    [['y'], keys.copy],
    [['q'], keys.qr],
    [['a'], keys.archive],
    [['Del'], keys.remove],
    [['r'], keys.resend],
    [['←', '→'], keys.period],
    [['1', '7', '3', '9', 'y'], keys.range],
    [['Esc'], keys.back],
  ];
  const change = (isChecked: boolean) => {
    writePreference('hasShortcuts', isChecked);
    setIsOn(isChecked);
  };
  return (
    <>
      <Switch
        label={t.shell.shortcutsSwitch}
        description={t.shell.shortcutsAbout}
        checked={isOn}
        onChange={(event) => change(event.currentTarget.checked)}
        mb="md"
      />
      <dl className={styles.list}>
        {rows.map(([letters, about]) => (
          <div key={about} className={styles.row}>
            <dt>
              {letters.map((letter) => (
                <Kbd key={letter} mr={4}>
                  {letter}
                </Kbd>
              ))}
            </dt>
            <dd>{about}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}
