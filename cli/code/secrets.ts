import { open, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Plan, SecretReference } from '../../sdk/code/index.ts';
import type { Context } from '../context.ts';
import { CliError } from '../errors.ts';

/** Reads the secrets that a plan needs, before anything is written. Throws when one is missing. */
export async function readSecrets(
  plan: Plan,
  { env }: Context,
): Promise<(reference: SecretReference) => Promise<string>> {
  const values = new Map<string, string>();
  const missing = new Set<string>();
  for (const { password, file, verb } of plan.actions) {
    if (!password || verb === 'conflict') continue;
    const value = await readSecret(password, env, file);
    if (value) values.set(JSON.stringify(password), value);
    else missing.add('env' in password ? `the variable ${password.env}` : `the file ${password.file}`);
  }
  if (missing.size > 0) {
    const message = `${[...missing].join(', ')} ${missing.size === 1 ? 'is' : 'are'} missing or empty: passwords are read from there.`;
    throw new CliError(
      'failed',
      'secret_missing',
      `${message.charAt(0).toUpperCase()}${message.slice(1)}`,
      'Nothing was changed.',
    );
  }
  return async (reference) => values.get(JSON.stringify(reference)) ?? '';
}

/** A file is looked for beside the one that names it. One line end behind the value is not part of it. */
async function readSecret(
  reference: SecretReference,
  env: Record<string, string | undefined>,
  source: string | null,
): Promise<string | null> {
  if ('env' in reference) return env[reference.env] ?? null;
  const folder = source && source !== 'stdin' ? path.dirname(source) : '.';
  const text = await readFile(path.resolve(folder, reference.file), 'utf8').catch(() => null);
  return text?.replace(/\r?\n$/, '') ?? null;
}

type NewSecret = { name: string; id: string; secret: string };

/** Opens the file for the secrets of new webhooks before they are made: nobody else may read it. */
export async function openSecretsFile(to: string | undefined) {
  if (to === undefined) return null;
  const file = await open(to, 'a+', 0o600).catch((error: Error) => {
    throw new CliError('failed', 'secrets_file', `${to} cannot be written: ${error.message}`, 'Nothing was changed.');
  });
  await file.chmod(0o600);
  return {
    async write(secrets: NewSecret[]): Promise<void> {
      for (const secret of secrets) await file.appendFile(`${JSON.stringify(secret)}\n`);
    },
    close: () => file.close(),
  };
}
