import { printScript, SHELLS } from '../completionScripts.ts';
import { defineCommand } from '../defineCommand.ts';

export const command = defineCommand({
  args: [['<shell>', 'the shell', SHELLS]],
  details: 'Prints a script that completes commands, flags and their values.',
  examples: [
    'completion bash >> ~/.bashrc',
    'completion zsh >> ~/.zshrc',
    'completion fish > ~/.config/fish/completions/svc.fish',
    'completion powershell >> $PROFILE',
  ],
  async run(_, { args: [shell] }) {
    printScript(shell as (typeof SHELLS)[number]);
  },
});
