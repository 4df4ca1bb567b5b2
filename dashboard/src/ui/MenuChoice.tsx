import { Menu } from '@mantine/core';
import type { ReactNode } from 'react';

interface MenuChoiceProps {
  isChosen: boolean;
  onChoose: () => void;
  rightSection?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** One of the choices of a menu, of which one is chosen. `Menu.Item` keeps the role of an action whatever it is given. */
export function MenuChoice({ isChosen, onChoose, ...rest }: MenuChoiceProps) {
  return <Menu.RadioItem value="" checked={isChosen} onChange={onChoose} closeMenuOnClick {...rest} />;
}
