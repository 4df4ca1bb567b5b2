import { Agent, request } from 'node:http';

/** Follows one link again and again, one request at a time, and says when it is asked how long the slowest one took. */
const [url, host] = process.argv.slice(2) as [string, string];
const agent = new Agent({ keepAlive: true });
let slowest = 0;

process.on('message', (message) => {
  if (message === 'begin') slowest = 0;
  else process.send?.(slowest);
});
process.on('disconnect', () => process.exit());

function follow(): Promise<void> {
  return new Promise((resolve) => {
    const asked = request(url, { agent, headers: { host } }, (answer) => answer.resume().on('end', resolve));
    asked.on('error', () => resolve());
    asked.end();
  });
}

for (;;) {
  const startedAt = performance.now();
  await follow();
  slowest = Math.max(slowest, performance.now() - startedAt);
  await new Promise((resolve) => setTimeout(resolve, 1));
}
