import type { Context } from '../context.ts';

const CTRL_C = '\u0003';

/** Calls a function for a key that is pressed on a terminal. `close` gives the terminal back. */
export function keyPresses({ output }: Context, keys: Record<string, () => void>): { close(): void } | null {
  const { stdin } = process;
  if (!stdin.isTTY || !process.stderr.isTTY) return null;
  const press = (pressed: Buffer) => {
    for (const key of pressed.toString()) {
      // A terminal in this mode sends no signal.
      if (key === CTRL_C) process.emit('SIGINT');
      else keys[key]?.();
    }
  };
  stdin.setRawMode(true);
  stdin.on('data', press);
  stdin.resume();
  output.note('r resends the last event.');
  return {
    close() {
      stdin.off('data', press);
      stdin.setRawMode(false);
      stdin.pause();
    },
  };
}
