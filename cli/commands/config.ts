import { configPath, readConfig, writeConfig } from '../config/configFile.ts';
import { addressOf } from '../config/resolveProfile.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import { CliError } from '../errors.ts';

/** What can be asked for and set: the value and where it was said. A key is never among them. */
const SETTINGS = {
  url: { about: 'the address of the server', read: ({ profile }: Context) => profile.url },
  profile: {
    about: 'the profile that is used',
    read: ({ profile }: Context) => ({ value: profile.name, source: profile.source }),
  },
  domain: { about: 'the host of new links', read: ({ profile }: Context) => profile.domain },
} as const;

type Name = keyof typeof SETTINGS;
const NAMES = Object.keys(SETTINGS) as Name[];
const ABOUT = NAMES.map((name) => `${name}: ${SETTINGS[name].about}`).join('; ');

export const get = defineCommand({
  args: [['[name]', ABOUT, NAMES]],
  details:
    'Without a name: all of them, and where each was said. A flag wins over the environment, that over .svc.json, that over the config file.',
  async run(context, { args: [name] }) {
    const { output } = context;
    if (name === undefined) {
      const rows = NAMES.map((each) => ({ name: each, ...SETTINGS[each].read(context) }));
      await output.answer({ text: JSON.stringify(rows), rows, columns: ['name', 'value', 'source'] });
      output.note(`Config file: ${configPath(context.env)}`);
      return;
    }
    const { value } = SETTINGS[name as Name].read(context);
    if (value === null) throw new CliError('notFound', 'not_set', `${name} is not set.`);
    if (output.isJson) await output.answer({ text: JSON.stringify({ name, value }) });
    else output.line(value);
  },
});

export const set = defineCommand({
  args: [
    ['<name>', ABOUT, NAMES],
    ['<value>', 'the value; "" for none'],
  ],
  async run(context, { args: [name, value = ''] }) {
    const config = await readConfig(context.env);
    const { name: profile } = context.profile;
    if (name === 'profile') {
      if (!config.profiles[value]) throw new CliError('failed', 'unknown_profile', `There is no profile "${value}".`);
      config.current = value;
    } else {
      const stored = config.profiles[profile] ?? { url: '' };
      if (name === 'url') {
        const url = addressOf(value);
        // A key belongs to its server: it does not go to another one.
        const { key, ...rest } = stored;
        config.profiles[profile] = { ...rest, url, ...(key !== undefined && stored.url === url && { key }) };
        if (key !== undefined && stored.url !== url)
          context.output.note('The key belonged to the other address and was forgotten: run svc login.');
      } else if (value === '') delete stored.domain;
      else config.profiles[profile] = { ...stored, domain: value };
      config.current ??= profile;
    }
    await writeConfig(context.env, config);
    context.output.note(`${name} is ${value || 'not set'}${name === 'profile' ? '' : ` in the profile ${profile}`}.`);
  },
});
