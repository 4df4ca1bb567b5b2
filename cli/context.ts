import type { Ask, Svc, SvcAnswer, SvcError, Target } from '../sdk/client/index.ts';
import { type StoredProfile, updateProfile } from './config/configFile.ts';
import { type Profile, resolveProfile } from './config/resolveProfile.ts';
import { CliError } from './errors.ts';
import type { GlobalFlags } from './globals.ts';
import { Output } from './output/Output.ts';
import { canAsk, confirmByWord } from './prompts.ts';
import { VERSION } from './version.ts';

type Env = Record<string, string | undefined>;

/** What a command works with. */
export class Context {
  readonly flags: GlobalFlags;
  readonly env: Env;
  readonly output: Output;
  readonly profile: Profile;
  /** Aborted by Ctrl-C. Requests end by themselves; loops and streams look at it. */
  readonly signal: AbortSignal;
  #client: Promise<Svc> | undefined;

  private constructor(flags: GlobalFlags, env: Env, profile: Profile, signal: AbortSignal) {
    this.flags = flags;
    this.env = env;
    this.profile = profile;
    this.signal = signal;
    this.output = new Output(flags, env);
  }

  static async make(flags: GlobalFlags, env: Env, signal: AbortSignal): Promise<Context> {
    return new Context(flags, env, await resolveProfile(flags, env), signal);
  }

  /** Whether a person can be asked. */
  get canAsk(): boolean {
    return canAsk();
  }

  /** The address of the server. Throws if none was said. */
  get url(): string {
    const { name, isUnknown, url } = this.profile;
    if (isUnknown) {
      throw new CliError(
        'failed',
        'unknown_profile',
        `There is no profile "${name}".`,
        'svc profiles list shows them.',
      );
    }
    if (url.value !== null) return url.value;
    throw new CliError(
      'signedOut',
      'no_server',
      'It is not known which server is meant.',
      'Run svc login, or set SVC_URL and SVC_KEY.',
    );
  }

  /** The client of the server, with the key of the profile. It is imported when it is needed first. */
  client(): Promise<Svc> {
    this.#client ??= this.clientFor(this.url, this.#key());
    return this.#client;
  }

  /** A client of any server, for `svc login`. */
  async clientFor(url: string, key: string): Promise<Svc> {
    const { Svc } = await import('../sdk/client/index.ts');
    return new Svc({
      url,
      key,
      userAgent: `svc-cli/${VERSION}`,
      onAttempt: ({ method, path, status, milliseconds, requestId }) => {
        if (this.isDebug)
          this.output.problem(
            `${method} ${path} ${status || 'no answer'} ${milliseconds} ms ${requestId ?? ''}`.trimEnd(),
          );
      },
    });
  }

  /** An operation, or any path, answered as it came. */
  async request(target: Target, ask: Ask = {}): Promise<SvcAnswer> {
    const client = await this.client();
    try {
      return await client.request(target, { signal: this.signal, ...ask });
    } catch (error) {
      if (mayBeUnknown(error as SvcError, ask)) {
        const { olderServerAdvice } = await import('./serverVersion.ts');
        Object.assign(error as SvcError, { advice: await olderServerAdvice(this) });
      }
      throw error;
    }
  }

  /** The JSON of an operation or path. */
  async json<Data>(target: Target, ask: Ask = {}): Promise<Data> {
    return (await this.request(target, ask)).json<Data>();
  }

  /** Asks the person to type a word, unless `--yes` was said. Throws if they do not, or cannot be asked. */
  confirm(what: string, word = 'yes'): Promise<void> {
    return confirmByWord(what, word, this.flags.yes === true);
  }

  /** Keeps something in the profile of this call. */
  async keep(change: Partial<StoredProfile>): Promise<void> {
    await updateProfile(this.env, this.profile.name, change);
  }

  get isDebug(): boolean {
    return this.flags.debug === true || Boolean(this.env.SVC_DEBUG);
  }

  #key(): string {
    const { key, withheld, name } = this.profile;
    if (key.value !== null) return key.value;
    if (withheld !== null)
      throw new CliError(
        'signedOut',
        'key_withheld',
        withheld,
        `If ${this.url} is a server of yours, run svc login --url ${this.url}.`,
      );
    throw new CliError(
      'signedOut',
      'not_signed_in',
      `There is no key for ${this.url} (profile ${name}).`,
      'Run svc login, or set SVC_KEY.',
    );
  }
}

/** Whether the server refused a path without ids, or a field: what an older one does not know yet. */
function mayBeUnknown({ status, code, message }: SvcError, { variables = {} }: Ask): boolean {
  if (status === 404) return Object.keys(variables).length === 0 && code !== 'bad_response';
  return status === 422 && /unknown/i.test(message);
}
