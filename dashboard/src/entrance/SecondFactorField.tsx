import { Anchor, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { t } from '../texts/index.ts';

export type Factor = 'none' | 'app' | 'recovery';

interface SecondFactorFieldProps {
  form: UseFormReturnType<{ email: string; password: string; code: string }>;
  factor: Exclude<Factor, 'none'>;
  onChange: (factor: Factor) => void;
}

/** The code of the authenticator app, or a recovery code. Password managers fill it in, and it can be pasted. */
export function SecondFactorField({ form, factor, onChange }: SecondFactorFieldProps) {
  const isApp = factor === 'app';
  return (
    <Stack gap="xs">
      <TextInput
        label={isApp ? t.entrance.code : t.entrance.recoveryCode}
        description={isApp ? t.entrance.codeHint : t.entrance.recoveryHint}
        autoComplete={isApp ? 'one-time-code' : 'off'}
        inputMode={isApp ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        required
        autoFocus
        key={`${form.key('code')}-${factor}`}
        {...form.getInputProps('code')}
      />
      <Anchor
        component="button"
        type="button"
        ta="left"
        onClick={() => {
          form.setFieldValue('code', '');
          onChange(isApp ? 'recovery' : 'app');
        }}
      >
        {isApp ? t.entrance.useRecoveryCode : t.entrance.useAppCode}
      </Anchor>
    </Stack>
  );
}
