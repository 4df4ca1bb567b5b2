import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '../ui/icons.ts';
import { MenuChoice } from '../ui/MenuChoice.tsx';
import styles from './analytics.module.css';

export interface Choice<Value extends string> {
  value: Value;
  name: string;
  /** Written beside the name. */
  count?: string | undefined;
}

interface ChoiceMenuProps<Value extends string> {
  label: string;
  value: Value;
  choices: readonly Choice<Value>[];
  onChoose: (value: Value) => void;
  isSmall?: boolean;
}

/** One of a few, in a menu whose button shows it. */
export function ChoiceMenu<Value extends string>({ label, value, choices, onChoose, isSmall }: ChoiceMenuProps<Value>) {
  const shown = choices.find((choice) => choice.value === value)?.name ?? value;
  return (
    <Menu position="bottom-start" width={220}>
      <Menu.Target>
        <Button
          variant="default"
          size={isSmall ? 'compact-sm' : 'sm'}
          rightSection={<IconChevronDown size={14} aria-hidden />}
          aria-label={`${label}: ${shown}`}
        >
          {shown}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {choices.map((choice) => (
          <MenuChoice
            key={choice.value}
            isChosen={choice.value === value}
            onChoose={() => onChoose(choice.value)}
            rightSection={choice.count === undefined ? null : <span className={styles.soft}>{choice.count}</span>}
          >
            {choice.name}
          </MenuChoice>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
