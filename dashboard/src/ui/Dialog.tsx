import { Modal, type ModalProps } from '@mantine/core';
import { useRef, useState } from 'react';
import { BusyContext } from '../kernel/busy.ts';

interface DialogProps extends ModalProps {
  /** It is left by a button within it alone, because what it shows would be lost by a click beside it. */
  isKept?: boolean;
}

/** A dialog, which stays while a change within it is on its way: what the server says to that must reach somebody. */
export function Dialog({ isKept = false, onClose, ...rest }: DialogProps) {
  const busy = useRef(false);
  const [tell] = useState(() => (isBusy: boolean) => {
    busy.current = isBusy;
  });
  const close = () => {
    if (!isKept && !busy.current) onClose();
  };
  return (
    <BusyContext value={tell}>
      <Modal {...rest} onClose={close} withCloseButton={!isKept} />
    </BusyContext>
  );
}
