import { Button, type ButtonProps, Tooltip } from '@mantine/core';
import type { ComponentPropsWithoutRef } from 'react';
import { type Right, useCan } from './permissions.ts';

type GuardedButtonProps = ButtonProps & ComponentPropsWithoutRef<'button'> & { scope: Right };

/** A button that says why it cannot be pressed by people whose role, or whose team at the moment, may not do this. */
export function GuardedButton({ scope, children, disabled, ...rest }: GuardedButtonProps) {
  const { isAllowed, why } = useCan(scope);
  if (isAllowed) {
    return (
      <Button disabled={disabled} {...rest}>
        {children}
      </Button>
    );
  }
  return (
    <Tooltip label={why}>
      {/* Not `disabled`, which would take it out of the order of the keyboard, and the reason with it. */}
      <Button {...rest} data-disabled aria-disabled onClick={(event) => event.preventDefault()}>
        {children}
      </Button>
    </Tooltip>
  );
}
