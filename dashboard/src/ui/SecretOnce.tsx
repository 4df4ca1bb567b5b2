import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import { t } from '../texts/index.ts';
import { CopyButton } from './CopyButton.tsx';
import { IconAlert, IconDownload } from './icons.ts';
import { LeaveGuard } from './LeaveGuard.tsx';
import styles from './SecretOnce.module.css';

interface SecretOnceProps {
  /** Held by the component that made it, never in a cache, a store or the address. */
  secret: string;
  what: string;
  fileName: string;
  children?: ReactNode;
  onStored: () => void;
  label: string;
  /** It can be read again later, as secrets of webhooks can. */
  isReadable?: boolean;
}

/** Shows a new secret, mostly for the only time. It goes away when the reader says that it is stored. */
export function SecretOnce({ secret, what, fileName, children, onStored, label, isReadable = false }: SecretOnceProps) {
  const [isStored, setIsStored] = useState(false);
  const ref = useRef<HTMLElement>(null);
  const download = () => {
    const url = URL.createObjectURL(new Blob([`${secret}\n`], { type: 'text/plain' }));
    const anchor = Object.assign(document.createElement('a'), { href: url, download: fileName });
    anchor.click();
    URL.revokeObjectURL(url);
  };
  return (
    <Stack>
      <LeaveGuard
        isBlocking={!isStored}
        title={t.common.secretLeaveTitle}
        body={isReadable ? t.common.secretReadableLeave : t.common.secretLeaveBody}
      />
      <Alert color="yellow" variant="light" icon={<IconAlert size={18} />}>
        {isReadable ? t.common.secretReadable : t.common.secretWarning}
      </Alert>
      <code ref={ref} className={styles.secret}>
        {secret}
      </code>
      <Group>
        <CopyButton text={secret} what={what} label={t.common.copyThis(what)} fallback={() => ref.current} />
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={download}>
          {t.common.download}
        </Button>
      </Group>
      {children}
      <Checkbox
        label={t.common.secretStored}
        checked={isStored}
        onChange={(event) => setIsStored(event.currentTarget.checked)}
      />
      <Button disabled={!isStored} onClick={onStored}>
        {label}
      </Button>
    </Stack>
  );
}
