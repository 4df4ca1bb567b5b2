import { expect } from 'chai';
import { openSocket } from '../../../src/net/connect.ts';
import { ConnectFailure } from '../../../src/net/connectFailure.ts';
import { Loopback } from '../../support/loopback.ts';
import { hangingResolver, resolvingTo } from '../../support/senders.ts';

describe('a connection to a receiver', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.close());
  const refusal = (opening: Promise<unknown>) => opening.then(() => null).catch((error: unknown) => error);

  it('is ended when the address it really has is not public', async () => {
    let bytes = 0;
    const port = await loopback.tcp((socket) => socket.on('data', (data) => (bytes += data.length)));
    // Vetting finds nothing wrong, as when the address that is connected to is not the one that was looked up.
    const answers = [true, false];
    const options = {
      resolver: resolvingTo('127.0.0.1'),
      signal: new AbortController().signal,
      get allowPrivate() {
        return answers.shift() ?? false;
      },
    };
    const error = await refusal(openSocket({ protocol: 'https:', hostname: 'hooks.example.com', port }, options));
    expect(error).to.be.instanceOf(ConnectFailure).and.include({ kind: 'blocked_address' });
    expect([answers.length, bytes]).to.deep.equal([0, 0]);
  });

  it('is not begun after the deadline', async () => {
    const options = { resolver: hangingResolver, allowPrivate: true, signal: AbortSignal.abort() };
    const error = await refusal(openSocket({ protocol: 'http:', hostname: 'hooks.example.com', port: 80 }, options));
    expect(error).to.be.instanceOf(ConnectFailure).and.include({ kind: 'timeout' });
  });
});
