// stores: none
import type { NetworkInterfaceInfo } from 'node:os';
import { expect } from 'chai';
import { loadConfig } from '../../../src/kernel/config.ts';
import { ConnectFailure, openSocket, vet } from '../../../src/net/connect.ts';
import { Loopback } from '../../support/loopback.ts';
import { hangingResolver, resolvingTo } from '../../support/senders.ts';

describe('a connection to a receiver', () => {
  const loopback = new Loopback();
  afterEach(() => loopback.close());
  const refusal = (opening: Promise<unknown>) => opening.then(() => null).catch((error: unknown) => error);

  it('is closed if the address it reaches is not public', async () => {
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

  it('reaches no private port of this machine, under any of its addresses', () => {
    loadConfig({ PORT: '3000', BASE_URL: 'https://links.example.com:8443' });
    const interfaces = () => ({ eth0: [{ address: '8.8.4.4' }] as NetworkInterfaceInfo[] });
    const problem = (address: string, port: number, allowPrivate = false) =>
      vet(address, port, { allowPrivate }, interfaces);
    expect(problem('8.8.4.4', 9200)).to.match(/this service itself, where port 9200/);
    expect(problem('::ffff:8.8.4.4', 9200)).to.match(/this service itself/);
    const fine = [80, 443, 3000, 8443].map((port) => problem('8.8.4.4', port));
    expect([...fine, problem('8.8.8.8', 9200), problem('8.8.4.4', 9200, true)]).to.deep.equal(Array(6).fill(null));
    loadConfig();
  });

  it('does not reveal the private address of a name', async () => {
    const options = { signal: new AbortController().signal, allowPrivate: false, resolver: resolvingTo('10.1.2.3') };
    const error = await refusal(openSocket({ protocol: 'https:', hostname: 'in.example.com', port: 443 }, options));
    expect(error).to.have.property('cause', 'in.example.com leads to an address that is not public.');
  });

  it('is not started after the deadline', async () => {
    const options = { resolver: hangingResolver, allowPrivate: true, signal: AbortSignal.abort() };
    const error = await refusal(openSocket({ protocol: 'http:', hostname: 'hooks.example.com', port: 80 }, options));
    expect(error).to.be.instanceOf(ConnectFailure).and.include({ kind: 'timeout' });
  });
});
