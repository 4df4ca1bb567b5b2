import { Link } from '@tanstack/react-router';
import { t } from '../texts/index.ts';
import { useService } from './useService.ts';

/** Somebody who tries the product out has not seen it before, perhaps not even the terminal. */
const IS_THIS_MACHINE = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname);

/** How to get in without an account, which the operator decides. */
export function SignUpHint() {
  const { service } = useService();
  if (!service) return null;
  if (service.signUp === 'open') {
    return (
      <>
        <p>
          {t.entrance.noAccount} <Link to="/sign-up">{t.entrance.signUp}</Link>
        </p>
        {IS_THIS_MACHINE ? <p>{t.entrance.firstPassword}</p> : null}
      </>
    );
  }
  return (
    <>
      <p>{service.signUp === 'invitation' ? t.entrance.byInvitation : t.entrance.closed}</p>
      <p>{t.entrance.firstPassword}</p>
    </>
  );
}
