import { Drawer, type DrawerProps, Modal, type ModalProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { BusyContext } from '../kernel/busy.ts';
import { FirstFocus } from './FirstFocus.tsx';

interface DialogProps extends ModalProps {
  /** It is left by a button within it alone, because what it shows would be lost by a click beside it. */
  isKept?: boolean;
}

/**
 * A dialog, which stays while a change within it is on its way: what the server says to that must reach somebody. The focus goes to
 * the field marked with `data-autofocus`, else to the first field of its form, else to its first button: see FirstFocus.
 */
export function Dialog({ isKept = false, onClose, children, ...rest }: DialogProps) {
  const busy = useRef(false);
  const [tell] = useState(() => (isBusy: boolean) => {
    busy.current = isBusy;
  });
  const close = () => {
    if (!isKept && !busy.current) onClose();
  };
  return (
    <BusyContext value={tell}>
      <Modal {...rest} onClose={close} withCloseButton={!isKept}>
        <FirstFocus>{children}</FirstFocus>
      </Modal>
    </BusyContext>
  );
}

/** A dialog at the edge of the window. */
export function SideDialog({ children, ...rest }: DrawerProps) {
  return (
    <Drawer {...rest}>
      <FirstFocus>{children}</FirstFocus>
    </Drawer>
  );
}
