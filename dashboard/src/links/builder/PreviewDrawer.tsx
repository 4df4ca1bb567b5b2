import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import { t } from '../../texts/index.ts';

interface PreviewDrawerProps {
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** The preview in windows that have no room beside the form. */
export function PreviewDrawer({ isOpen, onClose, children }: PreviewDrawerProps) {
  return (
    <Drawer opened={isOpen} onClose={onClose} title={t.builder.preview.title} position="bottom" size="90%">
      {children}
    </Drawer>
  );
}
