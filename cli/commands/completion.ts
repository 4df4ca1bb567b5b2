import { script } from '@bomb.sh/tab';
import { defineCommand } from '../defineCommand.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const;

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
    script(shell as (typeof SHELLS)[number], 'svc', 'svc');
  },
});
