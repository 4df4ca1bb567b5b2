import { readConfig, writeConfig } from '../config/configFile.ts';
import { defineCommand } from '../defineCommand.ts';
import { CliError } from '../errors.ts';

export const command = defineCommand({
  details: 'Forgets the key of the profile. The key itself works on: svc keys revoke ends it.',
  async run(context) {
    const { name } = context.profile;
    const config = await readConfig(context.env);
    const profile = config.profiles[name];
    if (!profile?.key) throw new CliError('signedOut', 'not_signed_in', `The profile ${name} has no key.`);
    const { key: _, ...rest } = profile;
    config.profiles[name] = rest;
    await writeConfig(context.env, config);
    context.output.note(`Forgot the key of ${profile.url}. To end the key itself: the dashboard, or svc keys revoke.`);
  },
});
