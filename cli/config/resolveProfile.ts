import { CliError } from '../errors.ts';
import type { GlobalFlags } from '../globals.ts';
import { readConfig, type StoredConfig, type StoredProfile } from './configFile.ts';
import { findProjectFile, type ProjectFile } from './projectFile.ts';

/** Where a value was said: the earlier of these wins. */
export type Source = 'flag' | 'environment' | '.svc.json' | 'config' | 'default';

interface Said {
  value: string | null;
  source: Source;
}

/** Who is meant by this call, and where they are. */
export interface Profile {
  name: string;
  /** Where the name was said. */
  source: Source;
  /** It was named, and there is none: `svc login` makes it, others refuse. */
  isUnknown: boolean;
  stored: StoredProfile | null;
  url: Said;
  /** Never printed. */
  key: Said;
  /** The host of new links. */
  domain: Said;
  /** Why there is no key although one is at hand; see `keyFor`. */
  withheld: string | null;
  /** Only a `.svc.json` names the address, and no profile knows it: the author of that file may want keys of others. */
  isUrlForeign: boolean;
  projectFile: ProjectFile | null;
  config: StoredConfig;
}

type Env = Record<string, string | undefined>;

/** Computes profile, address and key: flag, environment, `.svc.json`, config file, in this order. */
export async function resolveProfile(flags: GlobalFlags, env: Env, folder = process.cwd()): Promise<Profile> {
  const [config, projectFile] = await Promise.all([readConfig(env), findProjectFile(folder)]);
  const named = first([flags.profile, 'flag'], [env.SVC_PROFILE, 'environment'], [projectFile?.profile, '.svc.json']);
  const wanted = first([flags.url, 'flag'], [env.SVC_URL, 'environment'], [projectFile?.url, '.svc.json']);
  const name = named.value ?? nameFor(config, wanted.value) ?? 'default';
  const stored = config.profiles[name] ?? null;
  const url = wanted.value === null ? first([stored?.url, 'config']) : { ...wanted, value: addressOf(wanted.value) };
  const isUrlForeign =
    url.source === '.svc.json' && !Object.values(config.profiles).some((profile) => profile.url === url.value);
  return {
    name,
    source: named.value === null ? 'config' : named.source,
    isUnknown: named.value !== null && !stored && !env.SVC_KEY,
    stored,
    url,
    ...keyFor(url, stored, env, isUrlForeign),
    isUrlForeign,
    domain: first([projectFile?.domain, '.svc.json'], [stored?.domain, 'config']),
    projectFile,
    config,
  };
}

/** The origin of an address as people write it: `links.example.com` means https. */
export function addressOf(text: string): string {
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (URL.parse(address) === null || !/^https?:/i.test(address)) {
    throw new CliError(
      'usage',
      'usage',
      `"${text}" is no address of a server.`,
      'Write it like https://links.example.com.',
    );
  }
  return new URL(address).origin;
}

/** The current profile, unless an address is wanted that another profile has. */
function nameFor(config: StoredConfig, wanted: string | null): string | null {
  const current = config.current ?? Object.keys(config.profiles)[0] ?? null;
  if (wanted === null) return current;
  const origin = addressOf(wanted);
  if (current !== null && config.profiles[current]?.url === origin) return current;
  return Object.keys(config.profiles).find((name) => config.profiles[name]?.url === origin) ?? current;
}

/**
 * A key goes to the server that it belongs to alone. A stored key is only sent to the address of its profile. A key of the environment
 * is not sent to an address that a `.svc.json` alone names: whoever wrote that file would receive it.
 */
function keyFor(
  url: Said,
  stored: StoredProfile | null,
  env: Env,
  isUrlForeign: boolean,
): Pick<Profile, 'key' | 'withheld'> {
  if (env.SVC_KEY) {
    if (!isUrlForeign) return { key: { value: env.SVC_KEY.trim(), source: 'environment' }, withheld: null };
    const withheld = `SVC_KEY is not sent to ${url.value}, which only .svc.json names. Set SVC_URL too if it is right.`;
    return { key: { value: null, source: 'environment' }, withheld };
  }
  if (!stored?.key) return { key: { value: null, source: 'default' }, withheld: null };
  if (stored.url === url.value) return { key: { value: stored.key, source: 'config' }, withheld: null };
  const withheld = `The stored key is of ${stored.url} and is not sent to ${url.value}.`;
  return { key: { value: null, source: 'config' }, withheld };
}

function first(...said: [string | null | undefined, Source][]): Said {
  const [value, source] = said.find(([text]) => text !== undefined && text !== null && text !== '') ?? [
    null,
    'default',
  ];
  return { value: value ?? null, source };
}
