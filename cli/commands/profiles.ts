import { readConfig, writeConfig } from '../config/configFile.ts';
import type { Context } from '../context.ts';
import { defineCommand } from '../defineCommand.ts';
import { CliError } from '../errors.ts';

const NAME = ['<name>', 'the name of the profile'] as [string, string];

export const list = defineCommand({
  async run(context) {
    const { profiles } = await readConfig(context.env);
    const rows = Object.entries(profiles).map(([name, { url, project, key }]) => ({
      name,
      is_current: name === context.profile.name,
      url,
      project: project?.name ?? null,
      has_key: key !== undefined,
    }));
    await context.output.answer({
      text: JSON.stringify(rows),
      rows,
      columns: ['name', 'is_current', 'url', 'project', 'has_key'],
    });
  },
});

export const use = defineCommand({
  args: [NAME],
  async run(context, { args: [name = ''] }) {
    const config = await readConfig(context.env);
    if (!config.profiles[name]) throw unknown(name);
    await writeConfig(context.env, { ...config, current: name });
    context.output.note(`From now on ${name} is used: ${config.profiles[name].url}.`);
  },
});

export const remove = defineCommand({
  args: [NAME],
  async run(context, { args: [name = ''] }) {
    const config = await readConfig(context.env);
    if (!config.profiles[name]) throw unknown(name);
    await confirmRemoval(context, name);
    delete config.profiles[name];
    if (config.current === name) delete config.current;
    await writeConfig(context.env, config);
    context.output.note(`Removed ${name}.`);
  },
});

function confirmRemoval(context: Context, name: string): Promise<void> {
  return context.confirm(`svc profiles remove deletes the profile ${name} and its key from the config file.`);
}

function unknown(name: string): CliError {
  return new CliError('failed', 'unknown_profile', `There is no profile "${name}".`, 'svc profiles list shows them.');
}
