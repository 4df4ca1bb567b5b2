import type { TLSSocket } from 'node:tls';
import { config } from '../kernel/config.ts';
import { literalAddress } from '../kernel/publicAddress.ts';
import { openSocket } from '../net/connect.ts';
import { ConnectFailure, type ConnectProblem } from '../net/connectFailure.ts';
import { takeTurn } from '../net/hostTurns.ts';
import { systemResolver } from '../net/resolver.ts';

/** When it ends; or why there was no connection, with the code and words of the system. */
export type SeenCertificate = { endsAt: Date } | { problem: ConnectProblem; code: string; detail: string };

/** Connects over TLS as browsers do, chain, name and time included, and looks at the certificate. Throws for faults of ours. */
export async function readCertificate(origin: string, signal: AbortSignal): Promise<SeenCertificate> {
  const { protocol, hostname, port, host } = new URL(origin);
  const target = { protocol, hostname: literalAddress(hostname) ?? hostname, port: Number(port || 443) };
  const options = { resolver: systemResolver, allowPrivate: config.allowPrivateTargets, signal };
  try {
    const socket = (await takeTurn(host, () => openSocket(target, options))) as TLSSocket;
    const endsAt = new Date(socket.getPeerCertificate().valid_to);
    socket.destroy();
    return { endsAt };
  } catch (error) {
    if (!(error instanceof ConnectFailure)) throw error;
    const cause = error.cause as NodeJS.ErrnoException | undefined;
    return { problem: error.kind, code: String(cause?.code ?? ''), detail: String(cause?.message ?? cause) };
  }
}
