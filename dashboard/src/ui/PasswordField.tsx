import { PasswordInput, type PasswordInputProps } from '@mantine/core';
import { t } from '../texts/index.ts';

/** A password, which can be shown by keyboard too. */
export function PasswordField(props: PasswordInputProps) {
  return (
    <PasswordInput
      required
      autoComplete="current-password"
      visibilityToggleButtonProps={{ 'aria-label': t.common.showPassword, tabIndex: 0 }}
      {...props}
    />
  );
}

/** For password managers, which keep a password by the name beside it. */
export function AccountName({ email }: { email: string }) {
  return <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />;
}
