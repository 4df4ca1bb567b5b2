/** Which functions of a running product are called, asked over the inspector of its process. */
export interface Coverage {
  /** Forgets what was called so far. */
  reset(): Promise<void>;
  /** Files below the product's own folder with a function that was called since, as `src/links/linkService`. */
  filesRun(): Promise<Set<string>>;
  close(): void;
}

interface ScriptCoverage {
  url: string;
  functions: { functionName: string; ranges: { startOffset: number; count: number }[] }[];
}

/** Attaches to a process that was started with `--inspect` on that port of loopback. */
export async function attachCoverage(port: number): Promise<Coverage> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets[0]?.webSocketDebuggerUrl ?? '');
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = reject;
  });
  let sent = 0;
  const waiting = new Map<number, (result: unknown) => void>();
  socket.onmessage = ({ data }) => {
    const { id, result } = JSON.parse(String(data));
    waiting.get(id)?.(result);
    waiting.delete(id);
  };
  const ask = (method: string, params = {}): Promise<unknown> =>
    new Promise((resolve) => {
      sent += 1;
      waiting.set(sent, resolve);
      socket.send(JSON.stringify({ id: sent, method, params }));
    });
  await ask('Profiler.enable');
  await ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const take = async () =>
    ((await ask('Profiler.takePreciseCoverage')) as { result: ScriptCoverage[] }).result.filter(
      ({ url }) => url.includes('/dist/') && !url.includes('node_modules'),
    );
  return {
    reset: async () => void (await take()),
    async filesRun() {
      const run = (await take()).filter(({ functions }) => functions.some(wasCalled));
      return new Set(run.map(({ url }) => url.replace(/^.*\/dist\//, '').replace(/\.js$/, '')));
    },
    close: () => socket.close(),
  };
}

/** The function of the whole module runs when it is loaded, which is no call. */
function wasCalled({ functionName, ranges }: ScriptCoverage['functions'][number]): boolean {
  const [range] = ranges;
  return range !== undefined && range.count > 0 && !(functionName === '' && range.startOffset === 0);
}
