import { t } from '../texts/index.ts';
import { SecretOnce } from '../ui/SecretOnce.tsx';

/** The codes that were just made, for the only time. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  const { factor } = t.account;
  return (
    <SecretOnce
      secret={codes.join('\n')}
      what={factor.codesWhat}
      fileName={factor.codesFile}
      label={t.common.close}
      onStored={onStored}
    >
      <div>{factor.codesAbout}</div>
    </SecretOnce>
  );
}
