import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a product: on each SIGUSR2 says for how long at most its event loop answered nobody since the last one.
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
process.on('SIGUSR2', () => {
  process.stdout.write(`{"loopMs":${(delay.max / 1e6).toFixed(1)}}\n`);
  delay.reset();
});
