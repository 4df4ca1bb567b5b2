import { t } from '../texts/index.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { ShortcutList } from '../ui/ShortcutList.tsx';

/** The shortcuts, at hand on every page. */
export function ShortcutHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t.shell.keys.title}>
      <ShortcutList />
    </Dialog>
  );
}
