import type { ReactNode } from 'react';
import { t } from '../../texts/index.ts';
import { SideDialog } from '../../ui/Dialog.tsx';

interface PreviewDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The preview in windows that have no room beside the form. */
export function PreviewDrawer({ isOpen, onClose, children }: PreviewDrawerProps) {
  return (
    <SideDialog opened={isOpen} onClose={onClose} title={t.builder.preview.title} position="bottom" size="90%">
      {children}
    </SideDialog>
  );
}
