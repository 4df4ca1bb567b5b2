/** Tells how far something is. */
export interface Progress {
  /** From 0 to 1, and a few words. */
  update(share: number, words?: string): void;
  /** Removes the bar. */
  stop(): void;
}

const BAR_WIDTH = 24;
const LINE_EACH_MS = 10_000;

/** A bar on the last line of the terminal, or a line each 10 s in CI, or nothing. */
export function startProgress(label: string, { isQuiet, isCi }: { isQuiet: boolean; isCi: boolean }): Progress {
  const { stderr } = process;
  if (isQuiet) return { update() {}, stop() {} };
  if (isCi) {
    let lastAt = performance.now();
    return {
      update(share, words = '') {
        if (performance.now() - lastAt < LINE_EACH_MS) return;
        lastAt = performance.now();
        stderr.write(`${label} ${percent(share)} ${words}\n`);
      },
      stop() {},
    };
  }
  if (!stderr.isTTY) return { update() {}, stop() {} };
  return {
    update(share, words = '') {
      const done = Math.round(share * BAR_WIDTH);
      const line = `${label} ${'█'.repeat(done)}${'░'.repeat(BAR_WIDTH - done)} ${percent(share)} ${words}`;
      stderr.write(`\r\x1b[K${line.slice(0, (stderr.columns || line.length) - 1)}`);
    },
    stop() {
      stderr.write('\r\x1b[K');
    },
  };
}

function percent(share: number): string {
  return `${Math.floor(share * 100)} %`;
}
