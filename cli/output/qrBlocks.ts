/** Two modules above each other, as one character: upper and lower half, black on white. */
const HALVES = [' ', '▄', '▀', '█'];

/** The QR code of the SVG that the server draws, as lines of half blocks, white on what the terminal has. */
export function blocksOf(svg: string): string[] {
  const modules = modulesOf(svg);
  const isLight = (x: number, y: number) => y < modules.length && !modules[y]?.[x];
  const lines: string[] = [];
  for (let y = 0; y < modules.length; y += 2) {
    const line = modules.map((_, x) => HALVES[(isLight(x, y) ? 2 : 0) + (isLight(x, y + 1) ? 1 : 0)]);
    lines.push(line.join(''));
  }
  return lines;
}

/** Which modules are black. Its path is made of horizontal strokes: `M x y` jumps, `m dx 0` skips, `h n` draws. */
function modulesOf(svg: string): boolean[][] {
  const size = Number(/viewBox="0 0 (\d+)/.exec(svg)?.[1] ?? 0);
  const path = /stroke="[^"]*" d="([^"]*)"/.exec(svg)?.[1] ?? '';
  const modules = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  let x = 0;
  let y = 0;
  for (const [, step, text = ''] of path.matchAll(/([Mmh])([^Mmh]*)/g)) {
    const [first = 0, second = 0] = text.trim().split(/[ ,]+/).map(Number);
    if (step === 'M') [x, y] = [first, Math.floor(second)];
    else if (step === 'm') x += first;
    else {
      modules[y]?.fill(true, x, x + first);
      x += first;
    }
  }
  return modules;
}
