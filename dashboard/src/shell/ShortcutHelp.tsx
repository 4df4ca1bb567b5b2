import { Modal } from '@mantine/core';
import { t } from '../texts/index.ts';
import { ShortcutList } from '../ui/ShortcutList.tsx';

/** The shortcuts, at hand on every page. */
export function ShortcutHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={t.shell.keys.title}>
      <ShortcutList />
    </Modal>
  );
}
