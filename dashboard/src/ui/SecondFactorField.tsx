import { Anchor, Stack, TextInput, type TextInputProps } from '@mantine/core';
import { t } from '../texts/index.ts';

/** What proves that it is the person: their authenticator app, or one of the codes they stored. */
export type Factor = 'app' | 'recovery';

interface SecondFactorFieldProps {
  factor: Factor;
  /** Absent where only the app will do. The code that was entered is of no use afterwards. */
  onChange?: (factor: Factor) => void;
  /** Of the form that the code belongs to. */
  input: TextInputProps;
}

/** The code of the authenticator app, or a recovery code. Password managers fill it in, and it can be pasted. */
export function SecondFactorField({ factor, onChange, input }: SecondFactorFieldProps) {
  const isApp = factor === 'app';
  const { factorCode } = t.common;
  return (
    <Stack gap="xs">
      <TextInput
        // Another field, or password managers would take the one for the other.
        key={factor}
        label={isApp ? factorCode.app : factorCode.recovery}
        description={isApp ? factorCode.appHint : factorCode.recoveryHint}
        autoComplete={isApp ? 'one-time-code' : 'off'}
        inputMode={isApp ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        required
        {...input}
      />
      {onChange ? (
        <Anchor component="button" type="button" ta="left" onClick={() => onChange(isApp ? 'recovery' : 'app')}>
          {isApp ? factorCode.useRecovery : factorCode.useApp}
        </Anchor>
      ) : null}
    </Stack>
  );
}
