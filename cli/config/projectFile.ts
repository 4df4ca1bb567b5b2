import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CliError } from '../errors.ts';

/** What a folder may say for everyone who works in it. It is committed, so it holds no secret. */
export interface ProjectFile {
  /** Where the file is. */
  file: string;
  url?: string;
  profile?: string;
  /** The host of new links. */
  domain?: string;
}

const NAME = '.svc.json';
const FIELDS = ['url', 'profile', 'domain'];
const SECRET = /(sk_live_|whsec_)/;

/** The nearest `.svc.json`, from this folder upwards. */
export async function findProjectFile(folder: string): Promise<ProjectFile | null> {
  const file = path.join(folder, NAME);
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text !== null) return { ...parse(file, text), file };
  const parent = path.dirname(folder);
  return parent === folder ? null : findProjectFile(parent);
}

function parse(file: string, text: string): Omit<ProjectFile, 'file'> {
  if (SECRET.test(text)) {
    throw refused(
      `${file} holds a secret, and files of projects are shared.`,
      'Remove it there, roll the key, and use svc login or SVC_KEY.',
    );
  }
  let content: Record<string, unknown>;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw refused(`${file} is no JSON: ${(error as Error).message}`);
  }
  for (const [name, value] of Object.entries(content ?? {})) {
    if (name === '$schema') continue;
    if (!FIELDS.includes(name))
      throw refused(`${file} has an unknown field: ${name}.`, `It may have ${FIELDS.join(', ')}.`);
    if (typeof value !== 'string') throw refused(`${file}: ${name} must be a text.`);
  }
  return content;
}

function refused(message: string, advice: string | null = null): CliError {
  return new CliError('failed', 'project_file_refused', message, advice);
}
