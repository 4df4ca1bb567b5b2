import type { UseFormReturnType } from '@mantine/form';
import { useState } from 'react';
import { type Factor, SecondFactorField } from '../ui/SecondFactorField.tsx';

/** The code of the second factor in a form with the field `code`, of the app or a recovery code. */
export function CodeOfForm<Values extends { code: string }>({ form }: { form: UseFormReturnType<Values> }) {
  const [factor, setFactor] = useState<Factor>('app');
  const change = (changed: Factor) => {
    form.setFieldValue('code', '' as never);
    setFactor(changed);
    requestAnimationFrame(() => form.getInputNode('code')?.focus());
  };
  return (
    <SecondFactorField key={form.key('code')} factor={factor} onChange={change} input={form.getInputProps('code')} />
  );
}
