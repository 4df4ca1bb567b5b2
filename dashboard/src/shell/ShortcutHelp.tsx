import { Kbd, Modal, Switch } from '@mantine/core';
import { useState } from 'react';
import { isApple } from '../kernel/shortcuts.ts';
import { readPreference, writePreference } from '../kernel/storage.ts';
import { t } from '../texts/index.ts';
import { NAVIGATION } from './pages.ts';
import styles from './ShortcutHelp.module.css';

/** Every shortcut with what it does, and the switch for those of a single letter. */
export function ShortcutHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [isOn, setIsOn] = useState(() => readPreference('hasShortcuts') !== false);
  const { keys } = t.shell;
  const rows: [string[], string][] = [
    [[isApple() ? '⌘' : 'Ctrl', 'K'], keys.palette],
    [[isApple() ? '⌘' : 'Ctrl', 'Enter'], keys.save],
    [['?'], keys.help],
    [['c'], keys.create],
    [['/'], keys.search],
    ...NAVIGATION.map(({ key, label }): [string[], string] => [['g', key], keys.goTo(label())]),
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
    <Modal opened={isOpen} onClose={onClose} title={keys.title}>
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
    </Modal>
  );
}
