import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WELCOME } from '../../app/webApp.ts';
import { createApp, type Mounts } from '../../facade/app.ts';
import { compileRoutes } from '../../facade/route.ts';
import { buildGraphqlSchema } from '../../schema/build.ts';

/** The host of BASE_URL with the APIs and these mounts alone, below the world whose settings and store it uses. */
export async function startAppServer(mounts: Mounts): Promise<{ origin: string; stop(): Promise<unknown> }> {
  const schema = buildGraphqlSchema();
  const server: Server = createServer(createApp({ routes: compileRoutes(schema), schema }, mounts, WELCOME).callback());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
