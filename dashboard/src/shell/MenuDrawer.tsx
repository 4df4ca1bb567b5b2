import { t } from '../texts/index.ts';
import { SideDialog } from '../ui/Dialog.tsx';
import { SideBar } from './SideBar.tsx';

/** The side bar of narrow windows. */
export function MenuDrawer({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <SideDialog
      opened={isOpen}
      onClose={onClose}
      size={280}
      title="svc"
      closeButtonProps={{ 'aria-label': t.shell.closeMenu }}
    >
      <SideBar />
    </SideDialog>
  );
}
