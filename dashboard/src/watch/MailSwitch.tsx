import { Switch } from '@mantine/core';
import { t } from '../texts/index.ts';
import { toast } from '../ui/toasts.ts';
import { kindName } from './alertCells.tsx';
import type { AlertKind } from './alerts.ts';
import type { useMailKinds } from './useMailKinds.ts';

interface MailSwitchProps {
  kind: AlertKind;
  mail: ReturnType<typeof useMailKinds>;
  /** Shown beside the switch; without one its name is for screen readers alone. */
  label?: string;
}

/** Whether alerts of a kind are mailed; saved at once, with a way back. */
export function MailSwitch({ kind, mail: { on, save }, label }: MailSwitchProps) {
  const isOn = on.includes(kind);
  const { mail } = t.watch;
  const to = (isWanted: boolean) => (kinds: readonly AlertKind[]) => {
    const others = kinds.filter((one) => one !== kind);
    return isWanted ? [...others, kind] : others;
  };
  const change = () => {
    const undo = () => save(to(isOn), () => toast(t.common.undone));
    save(to(!isOn), () => toast((isOn ? mail.off : mail.on)(kindName(kind)), undo));
  };
  return (
    <Switch
      checked={isOn}
      label={label}
      aria-label={label ? undefined : mail.switch(kindName(kind))}
      onChange={change}
    />
  );
}
