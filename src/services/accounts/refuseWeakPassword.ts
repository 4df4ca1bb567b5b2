import { validationFailed } from '../../kernel/errors.ts';
import { COMMON_PASSWORDS } from './commonPasswords.ts';

/** Throws `validation_failed`, naming the field at `path`, for a password that is tried first. */
export function refuseWeakPassword(password: string, email: string, path: string): void {
  const given = password.normalize('NFKC').toLowerCase();
  const isOwn = given.trim() === email || given === email.split('@')[0];
  if (isOwn) throw validationFailed([{ path, message: 'Must not be your e-mail.' }]);
  if (COMMON_PASSWORDS.has(given)) {
    throw validationFailed([{ path, message: 'Is one of the passwords that are tried first. Choose another.' }]);
  }
}
